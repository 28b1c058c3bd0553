"""Labels taken apart."""

import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.schemes.scheme import LabelParts, LabelSyntax


@pytest.mark.parametrize(
    ("scheme", "label", "parts"),
    [
        ("ptb", "NP-SBJ", ("NP", "SBJ", "")),
        ("ptb", "NP-SBJ-1", ("NP", "SBJ", "1")),
        ("ptb", "PP-LOC-PRD=2", ("PP", "LOC-PRD", "", "2")),
        ("ptb", "NP-SBJ-1=2", ("NP", "SBJ", "1", "2")),
        ("ptb", "ADVP|PRT", ("ADVP", "", "")),
        ("ptb", "-NONE-", ("-NONE-", "", "")),
        ("ptb", "-LRB-", ("-LRB-", "", "")),
        ("ptb", "WP$", ("WP$", "", "")),
        ("ptb", "", ("", "", "")),
        ("ppche", "NP*SBJ", ("NP", "SBJ", "")),
        ("ppche", "CP-THT-SPE-PRN-1", ("CP", "THT-SPE-PRN", "1")),
        ("ppche", "IP*MAT=1", ("IP", "MAT", "", "1")),
        ("tuebadz", "NX=PER:ON", ("NX=PER", "ON", "")),
        ("tuebadz", "PX:OA-MOD", ("PX", "OA-MOD", "")),
        ("tuebadz", "R-SIMPX", ("R-SIMPX", "", "")),
        ("tiger", "NP-OA", ("NP", "OA", "")),
        ("tiger", "$-LRB-", ("$-LRB-", "", "")),
        ("tiger", "$-LRB--PUNC", ("$-LRB-", "PUNC", "")),
        ("redwoods", "NP-OA", ("NP-OA", "", "")),
    ],
)
def test_parts(scheme: str, label: str, parts: tuple[str, ...]) -> None:
    assert load_scheme(scheme).labels.parts(label) == LabelParts(*parts)


def test_rules_are_looked_up_without_the_subclass() -> None:
    labels = load_scheme("tuebadz").labels
    assert labels.category("NX=PER:ON") == "NX=PER"
    assert labels.main_category("NX=PER:ON") == "NX"
    assert LabelSyntax().main_category("NP-SBJ") == "NP"


@pytest.mark.parametrize(
    ("scheme", "label", "function", "written"),
    [
        ("tiger", "NP", "SB", "NP-SB"),
        ("tiger", "$-LRB-", "PUNC", "$-LRB--PUNC"),
        ("tuebadz", "NX=PER", "OA-MOD", "NX=PER:OA-MOD"),
        ("ppche", "NP", "SBJ", "NP-SBJ"),
        ("ptb", "PP", "LOC-PRD", "PP-LOC-PRD"),
        ("ptb", "NP=2", "SBJ", "NP=2-SBJ"),
        ("ptb", "NP", "1", None),  # it would be an index
        ("ptb", "NP-SBJ", "TMP", None),  # one of two functions would be lost
        ("ptb", "-NONE-", "SBJ", None),
        ("redwoods", "NP", "SBJ", None),
    ],
)
def test_a_function_is_written_as_it_is_read(scheme: str, label: str, function: str, written: str) -> None:
    labels = load_scheme(scheme).labels
    assert labels.joined(label, function) == written
    if written is not None:
        assert labels.parts(written).function == function
