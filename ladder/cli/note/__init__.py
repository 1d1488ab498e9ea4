"""`ladder note`: one file a group of commands."""
