"""White space in the bytes of a text.

Compiled loops take ``is_space`` from ``white_space.pxd``, which is kept in step with this file (a test
compares them).
"""


def is_space(byte: int) -> bool:
    """Return whether ASCII calls a byte white space."""
    return byte == 32 or 9 <= byte <= 13
