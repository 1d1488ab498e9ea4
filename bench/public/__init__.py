"""Published question sets and published systems, side by side with ladder."""
