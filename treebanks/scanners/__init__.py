"""Compiled loops that read files: from UTF-8 bytes to columns of codes."""
