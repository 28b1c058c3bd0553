"""What Crossbank writes, Crossbank reads: gold of every scheme in every format, scored against its source."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import crossbank
from crossbank.converters.scheme_files import scheme_names
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.formats import FORMATS, read_all, write
from crossbank.treebanks.formats.format import Format
from crossbank.workflow.commands.cli import main
from tests.conftest import ROOT
from tests.docs.blocks import all_blocks

# Warnings have tests of their own; here scores count.
pytestmark = pytest.mark.filterwarnings("ignore::crossbank.treebanks.errors.CrossbankWarning")

METRICS = ("parseval", "leaf_ancestor", "dependencies", "relations", "frames")

FORMATS_OF_TREES = ("bracket", "discbracket", "export", "tigerxml", "nbest", "parquet")
"""The formats in which trees of every scheme are written."""

NEEDED = {
    "parseval": {"constituents", "tags"},
    "leaf_ancestor": {"constituents", "tags"},
    "dependencies": {"constituents", "tags", "functions", "dependencies"},
    "relations": {"constituents", "tags", "functions", "dependencies", "relations"},
    "frames": {"constituents", "tags", "functions"},
}
"""The contents without which a metric has nothing to compare, or cannot tell what counts."""

COSTLY = ("discontinuous nodes made continuous", "punctuation moved")
"""The changes that ``--resolve`` makes, and names, where a format has no place for crossing branches."""

PPCHE = """( (IP-MAT (NP-SBJ (D-N Sá-sá) (N-N maður-maður)) (VBDI kom-koma)
 (NP-ADV (Q-A alla-allur) (N-A vega-vegur)) (. .-.)) (ID 1210.X,1))
( (CP-QUE (WNP-1 (WPRO-A Hvað-hver)) (C 0) (IP-SUB (NP-OB1 *T*-1) (VBPI sérð-sjá)
 (NP-SBJ (PRO-N þú-þú))) (. ?-?)) (ID 1210.X,2))
( (IP-MAT (NP-SBJ *con*) (VBDI sagði-segja) (CP-THT (C að-að) (IP-SUB (NP-SBJ (PRO-N hann-hann))
 (BEDI væri-vera) (NP-PRD (N-N maður-maður)))) (. .-.)) (ID 1210.X,3))
"""
RASP = """(T/txt-sc1/- (S/np_vp (NP/det_n (AT the) (N1/n (NN1 dog))) (V/np (VVD saw)
 (NP/det_n (AT1 a) (N1/n (NN1 cat))))))
(T/txt-sc1/- (S/np_vp (NP/name_s (NP1 Kim)) (V/0_p (VVZ sleeps))))
"""
CGEL = """# sent_id = s1
# text = Kim sees it.
(Clause
    :Subj (NP
        :Head (N :t "Kim"))
    :Head (VP
        :Head (V :t "sees" :l "see")
        :Obj (NP
            :Head (N_pro :t "it" :p "."))))
"""
UD = """# sent_id = 1
1\tKim\tKim\tPROPN\t_\t_\t2\tnsubj\t_\t_
2\tsees\tsee\tVERB\t_\t_\t0\troot\t_\t_
3\tit\tit\tPRON\t_\t_\t2\tobj\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_
"""
SUD = UD.replace("nsubj", "subj").replace("obj\t_\tS", "comp:obj\t_\tS")
REDWOODS = """(root_strict (sb-hd_mc_c (hdn_bnp-pn_c (kim_n Kim))
 (hd_xaj-int-vp_c (sleep_v1 sleeps) (soon_adv soon))))
"""
LFG = "(ROOT (S (NP (N dogs)) (VP (V chase) (NP (N cats)))))\n"

SOURCES = {
    "tiger": ROOT / "examples/tiger.export",
    "negra": ROOT / "examples/tiger.export",
    "tuebadz": ROOT / "examples/tuebadz.export",
    "ptb": ROOT / "examples/three_styles/penn.mrg",
    "susanne": ROOT / "examples/three_styles/susanne.mrg",
    "ccg": ROOT / "examples/three_styles/ccg.auto",
    "ppche": ("ppche.psd", PPCHE),
    "rasp": ("rasp.mrg", RASP),
    "cgel": ("trees.cgel", CGEL),
    "ud": ("ud.conllu", UD),
    "sud": ("sud.conllu", SUD),
    "redwoods": ("redwoods.mrg", REDWOODS),
    "lfg": ("lfg.mrg", LFG),
    **{
        Path(block.notes["file"]).stem: (block.notes["file"], block.text)
        for block in all_blocks(ROOT / "docs" / "add_a_scheme.md")
        if block.notes.get("file", "").endswith(".mrg") and Path(block.notes["file"]).stem in scheme_names()
    },
}
"""Gold of each scheme: our own corpora, or sentences made up here.

The scheme that the documentation shows has the sentences that stand there, in a copy to which it was added.
"""

SENTENCES = np.arange(2, 32)
"""The sentences of the embedded corpora that are written: with crossing branches, and quick."""

REAL = {
    "tiger-pcc": ("tiger", "tiger-pcc/syntax/maz-0000*.xml", "tigerxml"),
    "tuebadz": ("tuebadz", "tuebadz-masked/test.negra", "export"),
    "tuebadz in brackets": ("tuebadz", "tuebadz-masked/test.ptb", "bracket"),
    "farpahc": ("ppche", "farpahc/psd/1936*.psd", "bracket"),
    "icepahc": ("ppche", "icepahc/psd/1210*.psd", "bracket"),
    "wsj-sample": ("ptb", "wsj-sample/trees/wsj_000*.mrg", "bracket"),
    "gum": ("ptb", "gum/const/GUM_academic_art.ptb", "bracket"),
    "rasp3": ("rasp", "rasp3/teval/suste-trees-sparkle", "rasp"),
    "erg": ("redwoods", "erg/mrs", "tsdb"),
    "cgel": ("cgel", "cgel/twitter.cgel", "cgel"),
    "ccg-geometry": ("ccg", "ccg-geometry/geo-dev.auto", "auto"),
}


def source(tmp_path: Path, scheme: str) -> Treebank:
    actual = SOURCES[scheme]
    if isinstance(actual, tuple):
        name, text = actual
        actual = tmp_path / name
        actual.write_text(text, encoding="utf-8")
    bank = crossbank.read(actual)
    return bank.select(SENTENCES) if len(bank) > SENTENCES[-1] else bank


def score(gold: Treebank, candidate: Treebank, metric: str, scheme: str) -> float:
    options = {"labels": True} if metric == "dependencies" else {}
    result = crossbank.score(gold, candidate, metric, scheme=scheme, **options)
    return result["mean" if metric == "leaf_ancestor" else "f1"]


def scorable(gold: Treebank, scheme: str) -> list[str]:
    """Return the metrics that gold has something for; against itself it is perfect under each."""
    actual = []
    for metric in METRICS:
        try:
            assert score(gold, gold, metric, scheme) == 1, metric
        except CrossbankError:
            continue
        actual.append(metric)
    return actual


def check_all_formats(gold: Treebank, scheme: str, tmp_path: Path) -> None:
    """Convert gold as the command does, and compare what is read again with it."""
    path = tmp_path / "gold.parquet"
    write(gold, path, "parquet")
    metrics = scorable(gold, scheme)
    assert metrics
    for name, format in FORMATS.items():
        if not format.written:
            continue
        target, changes = tmp_path / f"written.{name}", tmp_path / "changes.csv"
        # Universal Dependencies are another analysis than the scheme's own, which scores compare.
        options = ["--to", name, "--scheme", scheme, "--resolve", "--ud", "no", "--diagnosis", str(changes)]
        if main(["convert", str(path), str(target), *options]):
            assert name not in FORMATS_OF_TREES or not gold.has_constituents, name
            continue
        with changes.open(encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        back = read_all([str(target)], name)
        costly = {row["sentence"] for row in rows if row["event"] in COSTLY}
        retained = np.array([identifier not in costly for identifier in gold.sentence_ids])
        lost = {row["event"].removesuffix(" dropped") for row in rows if row["event"].endswith(" dropped")}
        for metric in metrics:
            held = metric in (format.holds or ())
            if lost & ({metric} if held else NEEDED[metric]):
                # It is named, and what is left is not taken for what the metric wants.
                if len(back.tokens) and (back.has_dependencies or back.has_relations):
                    with pytest.raises(CrossbankError):
                        score(gold, back, metric, scheme)
            elif _reads(metric, format) and retained.any():
                assert score(gold.select(retained), back.select(retained), metric, scheme) == 1, (
                    name,
                    metric,
                )


def _reads(metric: str, format: Format) -> bool:
    """Return whether what a metric compares, or what it is read off, is in a format."""
    return bool({"constituents", metric} & (format.holds or set()))


def without_functions(bank: Treebank, scheme: str) -> Treebank:
    return crossbank.transform(bank, "strip_functions", scheme).replace(history=(), diagnosis=())


def test_every_scheme_has_gold() -> None:
    assert sorted(SOURCES) == sorted(scheme_names())


@pytest.mark.parametrize("functions", [True, False], ids=["functions", "bare"])
@pytest.mark.parametrize("scheme", SOURCES)
def test_gold_in_all_formats(scheme: str, functions: bool, tmp_path: Path) -> None:
    gold = source(tmp_path, scheme)
    check_all_formats(gold if functions else without_functions(gold, scheme), scheme, tmp_path)


@pytest.mark.parametrize("name", REAL)
def test_real_gold_in_all_formats(name: str, shared_data: Path, tmp_path: Path) -> None:
    scheme, pattern, format = REAL[name]
    gold = read_all([str(shared_data / pattern)], format)[:40]
    check_all_formats(gold, scheme, tmp_path)
