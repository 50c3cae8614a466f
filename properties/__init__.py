"""What must hold: invariants, step rules, possibilities, and the official rulings."""
