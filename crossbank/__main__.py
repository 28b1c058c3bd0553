"""The command ``crossbank``, also as ``python -m crossbank``, where its script is not on the path."""

import sys
from importlib import import_module

# The module that `signal` wraps is part of the interpreter: its import cannot be interrupted for long.
_signal = import_module("_signal")


def main() -> int:
    """Run the command, and return its exit code.

    An interrupt while modules are imported, or while Python ends, ends the process without a traceback.
    """
    raises = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler
    if raises:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    cli = import_module("crossbank.workflow.commands.cli")
    try:
        if raises:
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        code: int = cli.main()
    except KeyboardInterrupt:
        code = 130
    finally:
        if raises:
            _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    return code


if __name__ == "__main__":
    sys.exit(main())
