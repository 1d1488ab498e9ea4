"""Text to terms: tokenizer, stemmer, stop words, spelling."""
