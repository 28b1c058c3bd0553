"""What a study needs to train parsers: keys of its file, and the step that parses."""
