from crossbank.parsers.loops.chart import *  # noqa: F403
