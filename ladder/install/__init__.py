"""Puts the hook into a client's settings and takes it out again."""
