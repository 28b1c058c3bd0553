"""What a score depends on: error types, conventions, the reliability of conversions."""
