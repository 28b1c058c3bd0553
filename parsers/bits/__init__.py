"""Bits that models need for sentences: their averages, scores per bit, and the report's section."""
