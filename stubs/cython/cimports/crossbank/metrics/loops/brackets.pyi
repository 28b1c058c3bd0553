from crossbank.metrics.loops.brackets import *  # noqa: F403
