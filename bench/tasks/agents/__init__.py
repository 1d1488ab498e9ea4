"""Adapters between the protocol of `ladder bench agent` and the clients that people use."""
