"""Edit distances between two parses that are written as strings of symbols, and their costs."""
