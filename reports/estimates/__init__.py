"""The table of estimates of a study, the families of its tests, and statements on its rows."""
