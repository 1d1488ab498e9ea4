"""How fast things are, beside their peers."""
