"""Which files are notes, what they are called, and which settings hold."""
