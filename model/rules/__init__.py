"""The rulebook, one module for each of its chapters."""
