"""Interruption of compiled loops by Ctrl-C, for all packages."""
