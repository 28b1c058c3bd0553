"""Steps of a study, one module each, as the rules call them."""

import signal
import sys

if sys.argv[:1] == ["-m"]:
    # A job is starting (``python -m``). An interrupt ends it, without a traceback of what it was importing.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
