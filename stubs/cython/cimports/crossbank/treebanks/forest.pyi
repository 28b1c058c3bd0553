from crossbank.treebanks.forest import *  # noqa: F403
