"""Search by meaning: a small local sentence model beside the words. Loaded only where words stay silent or unsure."""
