"""Mode greval: reports that RASP's program (gramreleval, new scheme) printed for the same lists."""

from pathlib import Path

import pytest

from crossbank.compat.greval import ABOVE
from crossbank.treebanks import CrossbankError
from crossbank.treebanks.errors import OptionError
from tests.compat.modes import Mode
from tests.errors import raises

run = Mode("greval").run

GOLD = """\
; gold
1
(ncsubj acquire it _)
(passive acquire)
(aux acquire be)
(ncmod _ acquire either)
(iobj by proprietor)
2
(xcomp to decide drop)
(ncsubj decide government _)
(dobj drop it)
(conj and NIL)
(det Street the)
"""

CANDIDATE = """\
1
{
(ncsubj acquire it obj)
0.5 (aux be acquire)
0.75 (ncmod prt acquire either)
2 (dobj by proprietor)
}
2
(xcomp _ decide drop)
(csubj decide ellip _)
(obj2 drop it)
(det Wall_Street the)
"""

REPORT = """
NEW SCHEME PERFORMANCE:

------------
Summary

Relation                Precision    Recall    F-score   tst GRs    std GRs   agree GRs
: dependent                93.33      87.50      90.32       7.50       8.00       7.00
:   mod                   100.00     100.00     100.00       1.00       1.00       1.00
:    ncmod                100.00     100.00     100.00       1.00       1.00       1.00
:    xmod                   0.00       0.00       0.00       0.00       0.00       0.00
:    cmod                   0.00       0.00       0.00       0.00       0.00       0.00
:    pmod                   0.00       0.00       0.00       0.00       0.00       0.00
:  det                    100.00     100.00     100.00       1.00       1.00       1.00
:  arg_mod                100.00     100.00     100.00       6.00       6.00       6.00
:   arg                   100.00     100.00     100.00       5.00       5.00       5.00
:    subj                 100.00     100.00     100.00       2.00       2.00       2.00
:     ncsubj              100.00      50.00      66.67       1.00       2.00       1.00
:     xsubj                 0.00       0.00       0.00       0.00       0.00       0.00
:     csubj                 0.00       0.00       0.00       1.00       0.00       0.00
:    subj_dobj             66.67      66.67      66.67       3.00       3.00       2.00
:    comp                 100.00     100.00     100.00       3.00       3.00       3.00
:     obj                 100.00     100.00     100.00       2.00       2.00       2.00
:      dobj                 0.00       0.00       0.00       1.00       1.00       0.00
:      obj2                 0.00       0.00       0.00       1.00       0.00       0.00
:      iobj                 0.00       0.00       0.00       0.00       1.00       0.00
:     clausal             100.00     100.00     100.00       1.00       1.00       1.00
:      xcomp              100.00     100.00     100.00       1.00       1.00       1.00
:      ccomp                0.00       0.00       0.00       0.00       0.00       0.00
:     pcomp                 0.00       0.00       0.00       0.00       0.00       0.00
:  aux                      0.00       0.00       0.00       0.50       1.00       0.00
:  conj                     0.00       0.00       0.00       0.00       0.00       0.00
:  ta                       0.00       0.00       0.00       0.00       0.00       0.00

Micro-averaged
Precision        86.84   Recall  84.62   F-score  85.71   tst GRs  19.00 std GRs  19.50

Macro-averaged
Precision        78.75   Recall  75.26   F-score  76.97
"""

SENTENCES = """
------------
NEW SCHEME MATCHES:1
it be either acquire

In both:
   (iobj by proprietor) : (dobj by proprietor)
   (ncmod _ acquire either) : (ncmod prt acquire either)
   (ncsubj acquire it obj) : (ncsubj acquire it obj)

Standard only:
   (aux acquire be)

Test only:
   (aux be acquire)


------------
NEW SCHEME MATCHES:2
the government decide to drop it

In both:
   (det Street the) : (det Wall_Street the)
   (dobj drop it) : (obj2 drop it)
   (ncsubj decide government _) : (csubj decide ellip _)
   (xcomp to decide drop) : (xcomp _ decide drop)

Standard only:

Test only:


NEW SCHEME SENTENCE PERFORMANCE:

------------
Summary

Sentence     Precision          Recall          F-score          tst GRs
   1             83.33           83.33            83.33            18.00
   2             90.00           85.71            87.80            20.00

Micro-averaged
Precision        86.84   Recall  84.62   F-score  85.71   tst GRs  19.00 std GRs  19.50

Macro-averaged
Precision        78.75   Recall  75.26   F-score  76.97
"""


def files(folder: Path, gold: str, candidate: str) -> tuple[Path, Path]:
    (folder / "gold.grs").write_text(gold)
    (folder / "candidate.grs").write_text(candidate)
    return folder / "gold.grs", folder / "candidate.grs"


def test_floats_are_added_from_the_lowest_relation_up() -> None:
    """The program counts the highest first: dependent and what is right under it, then the others."""
    assert ABOVE["ncmod"] == ["dependent", "arg_mod", "mod", "ncmod"]
    assert ABOVE["xcomp"] == ["dependent", "arg_mod", "arg", "comp", "clausal", "xcomp"]
    assert ABOVE["det"] == ["dependent", "det"]
    assert ABOVE["passive"] == ["passive"]


def test_the_programs_report(tmp_path: Path) -> None:
    assert run(*files(tmp_path, GOLD, CANDIDATE)) == (REPORT, "", 0)


def test_the_programs_second_report(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("1 it be either acquire\n2 the government decide to drop it\n")
    options = {"details": "yes", "text": tmp_path / "text"}
    assert run(*files(tmp_path, GOLD, CANDIDATE), options=options) == (SENTENCES + REPORT, "", 0)


def test_a_list_against_itself(tmp_path: Path) -> None:
    report, _, _ = run(*files(tmp_path, GOLD, GOLD))
    assert "Precision       100.00   Recall 100.00   F-score 100.00" in report


@pytest.mark.parametrize(
    ("gold", "candidate", "names"),
    [
        ("1\n(det a b)\n", "2\n(det a b)\n", ("candidate.grs:", "sentence 2", "1")),
        ("1\n(det a b)\n2\n", "1\n(det a b)\n", ("candidate.grs", "1", "2")),
        ("(det a b)\n", "(det a b)\n", ("gold.grs:1:",)),
        (
            "1\n(detmod _ a b)\n",
            "1\n",
            ("gold.grs:2:", "detmod", "dependent, mod"),
        ),
        ("1\n(det a b c)\n", "1\n", ("gold.grs:2:", "(det a b c)")),
        ("1\n", "1\n(det a b)\n", ("gold.grs:", "relations")),
    ],
)
def test_lists_that_the_program_refuses(
    gold: str, candidate: str, names: tuple[str, ...], tmp_path: Path
) -> None:
    with raises(CrossbankError, *names):
        run(*files(tmp_path, gold, candidate))


@pytest.mark.parametrize(
    ("options", "kind", "value"),
    [({"type": "eq"}, "option of greval", "type"), ({"details": "maybe"}, "option details", "maybe")],
)
def test_unknown_options(options: dict[str, object], kind: str, value: str, tmp_path: Path) -> None:
    with raises(OptionError, kind=kind, value=value):
        run(*files(tmp_path, GOLD, CANDIDATE), options=options)


def test_a_parameter_file_or_another_format(tmp_path: Path) -> None:
    gold, candidate = files(tmp_path, GOLD, CANDIDATE)
    with raises(OptionError, "COLLINS.prm", kind="parameters"):
        run(gold, candidate, tmp_path / "COLLINS.prm")
    with raises(OptionError, "relations", kind="format", value="bracket"):
        run(gold, candidate, format="bracket")
