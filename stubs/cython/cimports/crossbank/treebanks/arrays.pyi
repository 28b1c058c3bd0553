from crossbank.treebanks.arrays import *  # noqa: F403
