"""Commands of trained parsers."""
