"""What a client promises and accepts."""
