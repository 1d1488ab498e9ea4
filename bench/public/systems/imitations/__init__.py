"""Published systems, rebuilt from their descriptions."""
