"""``python -m crossbank``: the command, also where its script is not on the path."""

import sys

from crossbank.workflow.cli import main

sys.exit(main())
