"""A study as its file says it: read once, for the steps, the report and the manual."""
