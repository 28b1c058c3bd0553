"""Parses that language models write: answers in prose, fences and tables, and requests for them."""

from crossbank.plugins.packages import PlugIn

PLUG_IN = PlugIn(title="answers of language models, their compliance with the task, and prompts for them")
