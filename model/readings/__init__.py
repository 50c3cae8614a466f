"""The readings of terms: plain Python, native code, and Z3."""
