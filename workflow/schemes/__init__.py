"""Custom schemes: drafted from a treebank, and examined with one."""
