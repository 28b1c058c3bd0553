"""The manual at hand: pages on the study file, commands, and everything that ``crossbank list`` names.

The texts are those of the schema of studies and of docstrings, so that they lie in the package.
"""
