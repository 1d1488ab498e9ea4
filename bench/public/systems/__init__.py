"""One function a system: documents of a pool in, a search over them out."""
