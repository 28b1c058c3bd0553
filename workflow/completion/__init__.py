"""Completion of the command line in shells: the words that may stand where, and a script for each shell.

The words are written into the script, so that a key press starts no Python.
"""
