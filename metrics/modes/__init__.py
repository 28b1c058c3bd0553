"""Modes: the protocol of a reference evaluator, and all of them by name."""
