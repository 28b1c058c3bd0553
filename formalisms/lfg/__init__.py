"""Lexical-functional grammar: its formats, conversions, metrics and scheme."""

from crossbank.plugins.packages import PlugIn

PLUG_IN = PlugIn(title="f-structures and c-structures of lexical-functional grammar")
