"""The command ``crossbank``, also as ``python -m crossbank``, where its script is not on the path."""

import signal
import sys
from importlib import import_module


def main() -> int:
    """Run the command, and return its exit code.

    An interrupt while modules are imported, or while Python ends, ends the process without a traceback.
    """
    raises = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if raises:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    cli = import_module("crossbank.workflow.commands.cli")
    if raises:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        code: int = cli.main()
    finally:
        if raises:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
    return code


if __name__ == "__main__":
    sys.exit(main())
