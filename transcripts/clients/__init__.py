"""Clients other than Claude Code: where their logs lie, and their records in the one form that turns are read from."""
