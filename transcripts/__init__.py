"""Session logs: records, sessions, turns, and the miner that turns them into pairs."""
