"""LinGO Redwoods and other treebanks of DELPH-IN grammars: its formats, conversions, metrics and scheme."""

from crossbank.plugins.packages import PlugIn

PLUG_IN = PlugIn(title="derivations, phrase trees and meaning representations in profiles of [incr tsdb()]")
