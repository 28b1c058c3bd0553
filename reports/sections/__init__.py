"""Sections of a report on a study, in tables and figures."""
