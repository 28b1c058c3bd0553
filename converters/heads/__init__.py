"""Head rules: which child of a node is its head."""
