"""Peers that speak the program protocol (docs/public.md); each file runs with the interpreter its peer lives in."""
