"""``python -m crossbank``: the command, also where its script is not on the path."""

import signal
import sys
from importlib import import_module

# An interrupt while modules are imported ends the command without a traceback.
raises = signal.getsignal(signal.SIGINT) is signal.default_int_handler
if raises:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
cli = import_module("crossbank.workflow.commands.cli")
if raises:
    signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(cli.main())
