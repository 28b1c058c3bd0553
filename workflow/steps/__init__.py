"""Steps of a study, one module each, as the rules call them."""

import os
import signal
import sys

if sys.argv[:1] == ["-m"]:
    # A job is starting (``python -m``). An interrupt ends it, without a traceback of what it was importing.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Jobs have their cores: threads that NumPy starts for its linear algebra would spin beside them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
