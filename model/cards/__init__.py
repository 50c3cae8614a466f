"""Cards as data: definitions, their closed vocabulary, and the pool."""
