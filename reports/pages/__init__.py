"""The report's HTML pages."""
