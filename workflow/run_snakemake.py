"""Snakemake's command for ``crossbank study``: an interrupt ends it at any moment without a traceback.

Snakemake catches interrupts while it waits for jobs. While it is being imported, or makes its graph, one
ended in a traceback of whatever it was doing.
"""

import signal
import sys

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from snakemake.cli import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        # Another one must not interrupt the end.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.exit(130)
