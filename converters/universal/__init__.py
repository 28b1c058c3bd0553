"""Universal Dependencies from trees, by ordered rules."""
