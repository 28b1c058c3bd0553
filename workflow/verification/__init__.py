"""Verification of finished reports with code of its own: it imports neither reports nor their statistics."""
