"""What dependencies are counted by: direction, distance, projectivity, local trees, faults."""
