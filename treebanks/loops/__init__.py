"""The end of compiled loops of all floors at Ctrl-C."""
