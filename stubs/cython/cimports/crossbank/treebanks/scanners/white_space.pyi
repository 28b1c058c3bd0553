from crossbank.treebanks.scanners.white_space import *  # noqa: F403
