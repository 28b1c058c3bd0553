"""Annotation schemes: one YAML file per scheme, and the classes that read them."""
