"""Builds the index file and keeps it up to date; the hook never loads it."""
