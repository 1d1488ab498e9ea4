"""Runs over time: weekly, survival of evidence, misses, promotion."""
