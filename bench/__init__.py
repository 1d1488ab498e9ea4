"""Replays mined pairs and public question sets through ways of reading, and scores them against tokens."""
