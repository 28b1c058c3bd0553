"""Tables as people read them, and the formats in which they are written."""
