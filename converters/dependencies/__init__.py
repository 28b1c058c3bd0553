"""Dependencies: read off constituents, and changed afterwards."""
