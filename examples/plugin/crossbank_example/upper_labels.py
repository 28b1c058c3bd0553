"""Labels in capitals."""

from crossbank.converters.declaration import transformation


@transformation()
def upper_labels(bank, scheme, *, prefix: str = ""):
    """Labels in capitals, after a prefix."""
    return bank.with_strings("nodes", "label", lambda label: prefix + label.upper())
