"""Looks at everything that has to work together."""
