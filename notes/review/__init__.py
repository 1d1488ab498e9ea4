"""What is wrong with notes, what can be repaired, and what a note that exists is taken for."""
