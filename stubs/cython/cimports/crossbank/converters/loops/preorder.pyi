from crossbank.converters.loops.preorder import *  # noqa: F403
