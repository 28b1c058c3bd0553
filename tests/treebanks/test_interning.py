import random

import numpy as np

from crossbank.treebanks.scanners.interning import StringTable


def test_codes_count_up_in_the_order_in_which_strings_are_met() -> None:
    generator = random.Random(5)
    words = [str(int(generator.paretovariate(0.5))) for _ in range(3000)]
    text = " ".join(words).encode()
    table = StringTable(np.frombuffer(text, np.uint8), 4)
    codes, index = [], 0
    for word in words:
        codes.append(table.code(index, index + len(word)))
        index += len(word) + 1
    distinct = list(dict.fromkeys(words))
    assert table.size == len(distinct) + 1 > 100
    assert table.strings(ord("\n")).decode().split("\n") == ["", *distinct]
    assert codes == [1 + distinct.index(word) for word in words]


def test_the_empty_string_has_the_code_zero() -> None:
    table = StringTable(np.frombuffer(b"abc", np.uint8), 0)
    assert table.code(1, 1) == 0
    assert (table.size, table.strings(10)) == (1, b"")


def test_strings_of_any_length_are_told_from_each_other() -> None:
    """The same bytes at different offsets, strings with another byte or length, also at the text's end."""
    alphabet = np.array([0, 1, 97, 98, 200, 255], np.uint8)
    generator = np.random.default_rng(3)
    for _ in range(20):
        text = alphabet[generator.integers(0, 2 + generator.integers(5), 60)]
        table = StringTable(text, 1)
        codes: dict[bytes, int] = {}
        for _ in range(600):
            begin, end = sorted(generator.integers(0, len(text) + 1, 2).tolist())
            string = text[begin:end].tobytes()
            expected = codes.setdefault(string, len(codes) + 1) if string else 0
            assert table.code(begin, end) == expected
        assert all(table.string(code) == string for string, code in codes.items())


def test_tables_that_grew_apart_are_joined() -> None:
    one = StringTable(np.frombuffer(b"abcdefghijklmnop", np.uint8), 1)
    other = StringTable(np.frombuffer(b"abcdefghijkl", np.uint8), 1)
    for length in (3, 8, 9, 12):
        one.code(0, length)
    for length in (12, 9, 2):
        other.code(0, length)
    assert one.take_in(other).tolist() == [0, 4, 3, 5]
    assert one.string(5) == b"ab"
