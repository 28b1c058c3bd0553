"""Converters: functions from treebank to treebank, and the annotation schemes as data."""
