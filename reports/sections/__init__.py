"""The sections of a report: what is told of a study, in tables and figures."""
