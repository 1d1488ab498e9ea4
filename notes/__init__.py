"""What a note is: zones, sections, entries; and the only code that writes one."""
