"""What scoring found: counts in files, summaries, comparisons, and the results that Python users get."""
