"""Session logs as they lie on the disk: records, what was said, what tools read and wrote."""
