"""Other ways of reading notes, to compare with."""
