"""Results of scoring: counts in files, summaries, comparisons, and the results that Python users get."""
