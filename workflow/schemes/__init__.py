"""Schemes of one's own: drafted from a treebank, and examined with one."""
