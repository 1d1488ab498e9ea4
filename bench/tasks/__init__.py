"""What is measured beside the replay: the next note, the gate, what the block is worth."""
