"""What can happen: the rules of face-down objects as a transition relation."""
