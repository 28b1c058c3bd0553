"""``python -m crossbank``: the command, also where its script is not on the path."""

import sys
from importlib import import_module

sys.exit(import_module("crossbank.workflow.commands.cli").main())
