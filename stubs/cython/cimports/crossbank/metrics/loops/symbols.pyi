from crossbank.metrics.loops.symbols import *  # noqa: F403
