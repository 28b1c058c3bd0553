from crossbank.metrics.loops.replacement_costs import *  # noqa: F403
