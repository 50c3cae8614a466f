"""The search for a violation, the evidence for its absence, and everything a user sees of both."""
