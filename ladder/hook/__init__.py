"""Answers one event of a client: at a message, at a session's start, before a tool."""
