"""End of compiled loops of all packages at Ctrl-C."""
