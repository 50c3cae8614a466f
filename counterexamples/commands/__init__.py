"""One module for each group of commands; see :mod:`counterexamples.cli`."""
