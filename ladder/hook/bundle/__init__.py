"""Makes the hook one file that needs no package."""
