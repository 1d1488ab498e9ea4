"""The rungs: suggest, map, read; and the best passages within a budget."""
