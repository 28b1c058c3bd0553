"""Reference evaluators, a package each: their numbers and reports, exactly; the core imports none."""
