"""The tables of a report, and the formats in which they are written."""
