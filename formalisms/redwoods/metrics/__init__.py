"""Metrics of LinGO Redwoods and other treebanks of DELPH-IN grammars."""
