"""Turns to pairs: a question, and the lines of one note that answered it."""
