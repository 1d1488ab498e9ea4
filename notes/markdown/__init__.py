"""From the bytes of a Markdown file to a `Note`: pure, knows nothing of the disk."""
