"""Damage: a file with some bytes, numbers or lines changed, as a choice of numbers says.

A choice is a function ``choose(n)``, which gives a number from 0 to ``n - 1``: of a random generator with a
printed seed, or of Hypothesis, which then looks for the smallest damage.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.fuzz.seeds import MODEL, columns_of, packed, unpacked, with_column

Choose = Callable[[int], int]

FRAGMENTS = (
    *(
        b"0",
        b"-1",
        b"-2",
        b"1",
        b"2",
        b"99",
        b"100000",
        b"1000000000",
        b"2147483647",
        b"2147483648",
        b"-2147483649",
    ),
    *(b"99999999999999999999", b"1e400", b"NaN", b"0.0", b"1e-320", b"_99999999999", b"_0", "_٣".encode()),
    *(
        b"(",
        b")",
        b"[",
        b"]",
        b"{",
        b"}",
        b"<",
        b">",
        b"\\",
        b"/",
        b"|",
        b"_",
        b"-",
        b":",
        b"=",
        b"#",
        b"&",
        b'"',
        b"'",
    ),
    *(b"\n", b"\n\n", b"\r", b"\r\n", b"\t", b" ", b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf"),
    *(
        "ä".encode(),
        "\u2028".encode(),
        "\u00a0".encode(),
        "\U0001f600".encode(),
        b"null",
        b"[]",
        b"(" * 3000,
        b"9" * 5000,
    ),
    *(
        b"<!--",
        b"]]>",
        b"&#0;",
        b"#BOS 9",
        b"#EOS",
        b"</s>",
        b"<c>",
        b"<s>",
        b"1-2\t",
        b"1.1\t",
        b"%",
        b"@",
        b"@@",
    ),
)
"""Strings that formats set store by, and numbers at which other programs break."""

NUMBER = re.compile(rb"\d+")

NUMBERS = (-(2**31), -3, -2, -1, 0, 1, 2, 3, 7, 100, 10**5, 10**9, 2**31 - 1)


def damaged(kind: str, data: bytes, choose: Choose) -> bytes:
    """Return a file of a reader after one to six changes."""
    if kind.startswith(MODEL) and choose(8):
        parts = unpacked(data)
        name = sorted(parts)[choose(len(parts))]
        return packed(parts | {name: _bytes_changed(parts[name], choose)})
    if kind == "parquet" and choose(8):
        columns = columns_of(data)
        lists = [name for name in sorted(columns) if any(columns[name])]
        name = lists[choose(len(lists))]
        return with_column(data, name, _values_changed(columns[name], choose))
    return _bytes_changed(data, choose)


def _bytes_changed(data: bytes, choose: Choose) -> bytes:
    for _ in range(1 + choose(6)):
        begin = choose(len(data) + 1)
        length = choose(40)
        what = choose(8)
        if what == 0:
            data = data[:begin] + data[begin + length :]
        elif what == 1:
            data = data[:begin] + FRAGMENTS[choose(len(FRAGMENTS))] + data[begin:]
        elif what == 2:
            data = data[:begin] + FRAGMENTS[choose(len(FRAGMENTS))] + data[begin + length :]
        elif what == 3:
            other = choose(len(data) + 1)
            data = data[:begin] + data[other : other + length] + data[begin:]
        elif what == 4:
            data = data[:begin]
        elif what == 5:
            data = data[:begin] + bytes([choose(256)]) + data[begin + 1 :]
        elif what == 6:
            lines = data.split(b"\n")
            one, other = choose(len(lines)), choose(len(lines))
            lines[one], lines[other] = lines[other], lines[one]
            data = b"\n".join(lines)
        elif numbers := list(NUMBER.finditer(data)):
            actual = numbers[choose(len(numbers))]
            data = data[: actual.start()] + str(NUMBERS[choose(len(NUMBERS))]).encode() + data[actual.end() :]
    return data


def _values_changed(values: list[Any], choose: Choose) -> list[Any]:
    changed = [list(value) if isinstance(value, list) else value for value in values]
    for _ in range(1 + choose(3)):
        index = choose(len(changed))
        value = changed[index]
        if not isinstance(value, list):
            changed[index] = None if choose(4) == 0 else _other(value, choose)
        elif not value or choose(5) == 0:
            changed[index] = [None, *value, *value[:1]][choose(2) :]
        elif choose(5) == 0:
            value.pop()
        else:
            item = choose(len(value))
            value[item] = _other(value[item], choose)
    return changed


def _other(value: object, choose: Choose) -> object:
    if isinstance(value, int):
        return NUMBERS[choose(len(NUMBERS))]
    return FRAGMENTS[choose(len(FRAGMENTS))].decode("utf-8", "replace")
