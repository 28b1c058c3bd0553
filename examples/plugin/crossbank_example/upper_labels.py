"""Labels in capitals."""

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks.treebank import Treebank


@transformation()
def upper_labels(bank: Treebank, scheme: Scheme | None, *, prefix: str = "") -> Treebank:
    """Labels in capitals, after a prefix."""
    return bank.with_strings("nodes", "label", lambda label: prefix + label.upper())
