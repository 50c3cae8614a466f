"""The vocabulary of effects: one small class each, told apart in card data by its verb."""
