"""Grammatical relations: read off trees, or mapped from one inventory to another."""
