"""What joins notes, index and session logs: mining, learning, what was opened. Prints nothing."""
