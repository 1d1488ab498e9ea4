"""Records to turns: one message of the person and all that the agent did until the next."""
