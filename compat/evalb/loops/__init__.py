"""Compiled loops of the modes ``evalb`` and ``evalb_spmrl``."""
