"""Ranks notes and passages for a query."""
