"""What is kept of logs, and how it is taken out again."""
