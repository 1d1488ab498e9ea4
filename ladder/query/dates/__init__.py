"""The days that a message names."""
