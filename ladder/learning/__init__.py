"""What a person's own sessions teach about their notes."""
