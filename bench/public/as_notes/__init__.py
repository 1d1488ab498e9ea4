"""Published question sets rendered as notes, so that routing and reading can be measured in the hundreds."""
