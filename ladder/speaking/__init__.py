"""Whether to speak, and about which notes."""
