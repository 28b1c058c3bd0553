"""Parsers: grammars and dependency models read off treebanks, and parsing with them."""

from crossbank.plugins.packages import PlugIn

PLUG_IN = PlugIn(title="parsers that are read off treebanks, their commands, and studies that train them")
