"""Checks that a comparison is sound. The output of a check is a diagnostic."""
