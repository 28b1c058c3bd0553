"""Combinatory Categorial Grammar: its formats, conversions, metrics and scheme."""

from crossbank.plugins.packages import PlugIn

PLUG_IN = PlugIn(
    title="derivations of Combinatory Categorial Grammar, their dependencies, and the formats that hold them"
)
