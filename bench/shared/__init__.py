"""Evidence of many people about one set of notes, without their words: see `ladder share`."""
