"""Faults planted in the model, to show that every gate can fail: see :mod:`counterexamples.faults.fault`."""
