"""The three rungs, the index under them, the hook and the command line."""
