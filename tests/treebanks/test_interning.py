import random

import numpy as np

from crossbank.treebanks.scanners.interning import StringTable


def test_codes_count_up_in_the_order_in_which_strings_are_met() -> None:
    generator = random.Random(5)
    words = [str(int(generator.paretovariate(0.5))) for _ in range(3000)]
    text = " ".join(words).encode()
    table = StringTable(np.frombuffer(text, np.uint8), 4)
    codes, place = [], 0
    for word in words:
        codes.append(table.code(place, place + len(word)))
        place += len(word) + 1
    distinct = list(dict.fromkeys(words))
    assert table.size == len(distinct) + 1 > 100
    assert table.strings(ord("\n")).decode().split("\n") == ["", *distinct]
    assert codes == [1 + distinct.index(word) for word in words]


def test_the_empty_string_has_the_code_zero() -> None:
    table = StringTable(np.frombuffer(b"abc", np.uint8), 0)
    assert table.code(1, 1) == 0
    assert (table.size, table.strings(10)) == (1, b"")
