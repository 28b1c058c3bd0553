from crossbank.treebanks.scanners.interning import *  # noqa: F403
