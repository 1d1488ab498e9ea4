"""Judges tool calls that would rewrite or remove a dated entry."""
