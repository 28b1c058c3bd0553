"""Grammatical relations read off trees, and mapped from one inventory to another."""
