from crossbank.metrics.loops.bracket_matching import *  # noqa: F403
