"""`ladder bench` and its kin: one file a command."""
