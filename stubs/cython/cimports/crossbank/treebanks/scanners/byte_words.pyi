from crossbank.treebanks.scanners.byte_words import *  # noqa: F403
