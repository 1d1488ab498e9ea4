"""The index file and its readers. The hook loads it: C modules of the standard library alone."""
