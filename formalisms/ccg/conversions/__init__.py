"""CCG derivations: brackets, lexical heads, and dependencies that are read off categories."""
