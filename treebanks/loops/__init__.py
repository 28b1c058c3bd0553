"""The compiled loops over a treebank's sentences: order of nodes, spans, cycles."""
