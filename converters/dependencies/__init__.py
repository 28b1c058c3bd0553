"""Dependencies read off constituents, and what is done to them afterwards."""
