"""Every metric on every real treebank, with functions and without: a score, or one sentence on what lacks."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import crossbank
from crossbank.calls import Result
from crossbank.converters.deletions import without_nodes
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.counting.metric import METRICS, metric_class
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.formats import read_all
from tests.conftest import SHARED_DATA, unsound

# Warnings have tests of their own; here scores count.
pytestmark = pytest.mark.filterwarnings("ignore::crossbank.treebanks.errors.CrossbankWarning")

SENTENCES = 200
"""The most sentences of a treebank that a metric is tried on, taken from all its files at equal distances."""

WHOLE = ("chunks", "frames")
"""The metrics that are tried on all sentences: they take little time, and read the most of the trees."""

BRACKETS = frozenset({"constituents", "flat_keys", "heads", "parseval1991"})
RULES = frozenset({"chunks", "frames", "generalised_frames"})
ARCS = frozenset({"dependencies", "dependency_graphs"})
TREES_OF_WORDS = frozenset({"ccg_dependencies", "edm", "fstructures"})
UNIVERSAL = BRACKETS | RULES | TREES_OF_WORDS
CCG = RULES | ARCS | {"edm", "fstructures"}
NO_SCHEME = RULES | ARCS | TREES_OF_WORDS | {"heads", "relations"}
REDWOODS = RULES | ARCS | {"ccg_dependencies"}

TREEBANKS: dict[str, tuple[str | None, str, str | None, frozenset[str]]] = {
    "tiger-pcc": ("tiger", "tiger-pcc/syntax/*.xml", None, TREES_OF_WORDS),
    "tuebadz": ("tuebadz", "tuebadz-masked/test.negra", None, TREES_OF_WORDS),
    "tuebadz-exportxml": ("tuebadz", "tuebadz-masked/exportxml-example.xml", "exportxml", TREES_OF_WORDS),
    "tuebadz-brackets": ("tuebadz", "tuebadz-masked/test.ptb", None, TREES_OF_WORDS),
    "farpahc": ("ppche", "farpahc/psd/*.psd", None, TREES_OF_WORDS | RULES - {"frames"} | {"relations"}),
    "farpahc-parsed": (
        "ppche", "farpahc/parsers/e1/output/*.psd", None, TREES_OF_WORDS | RULES - {"frames"} | {"relations"},
    ),
    "farpahc-ud": ("ud", "farpahc/ud/*.conllu", None, UNIVERSAL),
    "icepahc": ("ppche", "icepahc/psd/*.psd", None, TREES_OF_WORDS | RULES - {"frames"} | {"relations"}),
    "gum": ("ptb", "gum/const/*.ptb", None, TREES_OF_WORDS | RULES - {"chunks"}),
    "gum-ud": ("ud", "gum/dep/*.conllu", None, UNIVERSAL),
    "wsj": ("ptb", "wsj-sample/trees/*.mrg", None, TREES_OF_WORDS | RULES - {"chunks"}),
    "wsj-corenlp": ("ud", "ud-converter/wsj.corenlp.conllu", None, UNIVERSAL),
    "conll18-de": ("ud", "conll18/00-gold-standard/de_gsd.conllu", None, UNIVERSAL),
    "conll18-parsed": ("ud", "conll18/HIT-SCIR-18/en_pud.conllu", None, UNIVERSAL),
    "susanne": (
        "susanne", "rasp3/teval/suste-trees-susanne", "rasp",
        TREES_OF_WORDS | RULES | ARCS | {"tags", "relations"},
    ),
    "rasp-relations": (None, "rasp3/corpus/grs/*.grs", None, UNIVERSAL | ARCS),
    "ccg": ("ccg", "ccg-geometry/geo-dev.auto", None, CCG),
    "ccg-parsed": ("ccg", "ccg-geometry/geo-dev.depccg_default.auto", None, CCG),
    "ccg-dependencies": (
        "ccg", "ccg-geometry/geo-dev.gold_deps", None, BRACKETS | CCG | {"tags"},
    ),
    "langpro": ("ccg", "langpro-ccg/ccg_sen_d_SICK_trial_eccg.pl", None, CCG),
    "erg": ("redwoods", "erg/csli", None, REDWOODS),
    "erg-dmrs": ("redwoods", "erg/mrs", "tsdb_dmrs", REDWOODS),
    "jacy": ("redwoods", "jacy-mrs", None, REDWOODS),
    "xle-nb": ("lfg", "xle-fstructures/mrs/nb/*.pl", "xle", REDWOODS | {"edm"}),
    "xle-ka": ("lfg", "xle-fstructures/mrs/ka/*.pl", "xle", REDWOODS | {"edm"}),
    "cgel": ("cgel", "cgel/ewt.cgel", None, TREES_OF_WORDS | RULES | {"relations"}),
    "marytts": (None, "marytts-lexicon-de/de.txt", "marytts", NO_SCHEME | {"tags"}),
    "evalb": (None, "evalb-sample/sample/*.gld", "bracket", NO_SCHEME),
}  # fmt: skip
"""The scheme of each treebank, its files, their format, and the views and metrics that lack something."""

OTHERWISE = {
    name: {"relations"} for name in ("tiger-pcc", "tuebadz", "tuebadz-exportxml", "tuebadz-brackets")
}
"""The metrics for which the answer is another one without functions: these rules for relations need them."""

OPTIONS = {"selected": {"labels": "*"}, "conll18": {"delete": "none"}}

PERFECT = ("precision", "recall", "f1", "accuracy", "uas", "las", "exact", "conformance")


def banks(name: str) -> Iterator[tuple[bool, Treebank]]:
    """Yield a treebank with its functions, then without."""
    scheme, pattern, format, _ = TREEBANKS[name]
    bank = read_all([str(SHARED_DATA / pattern)], format)
    yield True, bank
    yield False, transform(bank, ["strip_functions"], load_scheme(scheme) if scheme else None)


def damaged(bank: Treebank) -> Treebank:
    """Return a candidate: without every third node, with every fifth token attached one arc higher."""
    nodes, tokens = bank.nodes, bank.tokens
    begins = tokens.begins(tokens)
    higher = np.where(tokens.head >= 0, tokens.head[np.maximum(begins + tokens.head, 0)], tokens.head)
    head = np.where((np.arange(len(tokens)) % 5 == 0) & (higher >= 0), higher, tokens.head).astype(np.int32)
    bank = bank.replace(tokens=tokens.replace(head=head))
    return without_nodes(bank, np.arange(len(nodes)) % 3 == 2, "damaged", "nodes deleted")


def score(bank: Treebank, parsed: Treebank, metric: str, name: str) -> Result:
    return crossbank.score(bank, parsed, metric, scheme=TREEBANKS[name][0], **OPTIONS.get(metric, {}))


def assert_right(bank: Treebank, worse: Treebank, metric: str, name: str) -> None:
    """A treebank agrees with itself, and less so with its damaged copy."""
    same, less = score(bank, bank, metric, name), score(bank, worse, metric, name)
    for measure in PERFECT:
        if measure in same:
            assert np.isnan(same[measure]) or same[measure] == 1
            assert np.isnan(less[measure]) or 0 <= less[measure] <= 1


QUICK = {"conll18-parsed", "susanne", "rasp-relations", "ccg", "erg-dmrs", "evalb"}
"""The treebanks that are read and scored in about a second, of most kinds one."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in TREEBANKS]
)
def test_every_metric(shared_data: Path, subtests: pytest.Subtests, name: str) -> None:
    for functions, bank in banks(name):
        if functions:  # All files in one command: no index points into another sentence.
            with subtests.test("the treebank is sound"):
                assert not unsound(bank)
        sample = bank[:: max(1, len(bank) // SENTENCES)]
        sides = [(one, damaged(one)) for one in ([bank] if len(bank) <= 5000 else []) + [sample]]
        for metric in METRICS:
            one, worse = sides[0] if metric in WHOLE else sides[-1]
            with subtests.test(functions=functions, metric=metric):
                is_refused = bool(TREEBANKS[name][3] & {metric, metric_class(metric).view})
                if is_refused == (not functions and metric in OTHERWISE.get(name, ())):
                    assert_right(one, worse, metric, name)
                else:
                    with pytest.raises(CrossbankError) as refused:
                        score(one, one, metric, name)
                    assert "\n" not in str(refused.value)
