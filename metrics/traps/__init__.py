"""Traps: faults that spoil numbers without stopping anything, each noticed and named with its remedy."""
