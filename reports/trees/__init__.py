"""Trees drawn: as SVG for pages, as text for terminals."""
