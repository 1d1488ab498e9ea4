"""The only code that writes a note: heads rewritten, entries appended, every former state kept."""
