"""Findings: what a study's numbers say, in sentences made by rules, each with its figures."""
