"""What compiled loops of all floors need: docs/compiled_loops.md says how they are written."""
