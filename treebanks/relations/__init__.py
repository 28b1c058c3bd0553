"""Grammatical relations one by one, and the inventories that say which relation subsumes which."""
