"""Tree patterns in the notation of tgrep: syntax, program and matching."""
