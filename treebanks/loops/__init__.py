"""End of compiled loops of all floors at Ctrl-C."""
