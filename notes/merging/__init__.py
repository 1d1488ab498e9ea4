"""Joins two versions of a note or a ledger, as git's merge driver: pure, but for git's own merge of texts."""
