"""From a metric with its options to counts per sentence: what all metrics share."""
