"""Tasks that a bench gives the product beside the replay of mined pairs."""
