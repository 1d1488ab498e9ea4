"""Serves the rungs to agents without a shell."""
