"""A message and its conversation to weighted terms."""
