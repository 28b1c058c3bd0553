"""The Cambridge Grammar of the English Language: its formats, conversions, metrics and scheme."""

from crossbank.plugins.packages import PlugIn

PLUG_IN = PlugIn(title="trees of the Cambridge Grammar of the English Language")
