"""Classifications of dependencies: direction, distance, projectivity, local trees; faults of trees."""
