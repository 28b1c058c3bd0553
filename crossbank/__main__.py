"""``python -m crossbank``: the command, also where its script is not on the path."""

from runpy import run_module

run_module("crossbank.workflow.commands.cli", run_name="__main__")
