"""Twins of library code that costs the hook too much to import."""
