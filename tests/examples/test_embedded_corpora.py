"""Every embedded sentence: the same words everywhere, labels of its scheme, exactly the errors listed."""

import csv
import importlib.util
from pathlib import Path

import pytest
import yaml

from tests.cases import each

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
# Loaded by its path: test folders are not packages.
_spec = importlib.util.spec_from_file_location("embedded_reading", HERE / "reading.py")
reading = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(reading)

SCHEMES = ("tiger", "tuebadz")
CANDIDATES = [(scheme, candidate) for scheme in SCHEMES for candidate in ("alpha", "beta")]
LABELS = yaml.safe_load((EXAMPLES / "labels.yaml").read_text(encoding="utf-8"))
GOLD = {scheme: reading.read_export(EXAMPLES / f"{scheme}.export") for scheme in SCHEMES}
PARSED = {
    (scheme, candidate): reading.read_brackets(EXAMPLES / f"{scheme}.{candidate}.mrg")
    for scheme, candidate in CANDIDATES
}
with open(EXAMPLES / "errors.csv", encoding="utf-8", newline="") as _file:
    ERRORS = list(csv.DictReader(_file))
NUMBERS = range(1, len(GOLD["tiger"]) + 1)
TYPES = {
    "pp_attachment",
    "other_attachment",
    "coordination",
    "pos",
    "function",
    "missing_node",
    "additional_node",
    "label",
    "span",
    "unparsed",
}
LONG_DISTANCE = {
    label
    for label in LABELS["tuebadz"]["functions"]
    if label != "V-MOD" and (label.endswith("-MOD") or label in ("ONK", "OAK", "ODK", "OPPK", "PREDK"))
}


def gold(scheme, number):
    return GOLD[scheme][number - 1]


def forms(sentence):
    return [word.word for word in sentence.words]


def errors(scheme, candidate, number):
    requested = (scheme, candidate, str(number))
    return [row for row in ERRORS if (row["scheme"], row["candidate"], row["sentence"]) == requested]


def crossing(sentence):
    content = [word.position for word in sentence.words if not reading.punctuation(word)]
    return any(
        positions != [p for p in content if positions[0] <= p <= positions[-1]]
        for positions in (node.positions() for node in sentence.phrases())
    )


def test_sentences_are_numbered_from_one():
    for scheme in SCHEMES:
        assert (EXAMPLES / f"{scheme}.export").read_text(encoding="utf-8").startswith("#FORMAT 4\n")
        assert [sentence.number for sentence in GOLD[scheme]] == list(NUMBERS)
    assert len(NUMBERS) == 120


def test_the_corpora_show_what_they_are_meant_to_show():
    assert sum(map(crossing, GOLD["tiger"])) >= 20
    assert not any(map(crossing, GOLD["tuebadz"]))
    distant = [s for s in GOLD["tuebadz"] if any(node.function in LONG_DISTANCE for node in s.phrases())]
    assert len(distant) >= 15
    assert sum(bool(sentence.secondary) for sentence in GOLD["tiger"]) >= 3


@each(number=NUMBERS)
def test_both_schemes_have_the_same_words(number):
    tiger, tuebadz = gold("tiger", number), gold("tuebadz", number)
    assert forms(tiger) == forms(tuebadz)
    same = {"PROAV": {"PROP"}, "PIAT": {"PIAT", "PIDAT"}, "APPR": {"APPR", "KOKOM"}}
    for one, other in zip(tiger.words, tuebadz.words, strict=True):
        assert other.label in same.get(one.label, {one.label}), one.word


@each(scheme=SCHEMES, number=NUMBERS)
def test_labels_belong_to_the_scheme(scheme, number):
    inventory, sentence = LABELS[scheme], gold(scheme, number)
    categories = inventory["categories"] + inventory.get("fields", [])
    for word in sentence.words:
        assert word.label in LABELS["tags"] + inventory["tags"], word.word
        assert word.function in inventory["functions"], word.word
    for node in sentence.phrases():
        assert node.label in categories
        assert node.function in inventory["functions"]
        assert node.children
    for function, _ in sentence.secondary:
        assert function in inventory["functions"]


@each(scheme=SCHEMES, number=NUMBERS)
def test_every_word_hangs_in_the_tree_and_punctuation_at_the_root(scheme, number):
    sentence = gold(scheme, number)
    assert sorted(p for root in sentence.roots for p in root.positions()) == list(range(len(sentence.words)))
    for root in sentence.roots:
        assert root.function == "--"
        assert not any(child.function == "--" for node in root.phrases() for child in node.children)
    for word in sentence.words:
        if reading.punctuation(word):
            assert any(root is word for root in sentence.roots)


@each(number=NUMBERS)
def test_tiger_has_no_unary_nodes_and_one_head(number):
    for node in gold("tiger", number).phrases():
        functions = [child.function for child in node.children]
        assert len(functions) > 1
        assert functions.count("HD") <= 1
        if node.label in ("VP", "VZ", "AP"):
            assert "HD" in functions
        if node.label == "PP":
            assert "AC" in functions or "PH" in functions
        if node.label in ("CS", "CNP", "CVP", "CPP", "CAP"):
            assert functions.count("CJ") > 1
            assert set(functions) <= {"CJ", "CD"}


@each(number=NUMBERS)
def test_tuebadz_fields_and_heads(number):
    inventory, sentence = LABELS["tuebadz"], gold("tuebadz", number)
    assert not any(root.label in inventory["fields"] for root in sentence.roots)
    for node in sentence.phrases():
        functions = [child.function for child in node.children]
        if any(child.label in inventory["fields"] for child in node.children):
            assert node.label in inventory["above_fields"]
        if node.label in ("SIMPX", "R-SIMPX"):
            assert all(
                child.label in inventory["fields"] or child.function == "KONJ" or child.label == "KON"
                for child in node.children
            )
        if node.label in ("VF", "MF", "NF", "LK", "LV"):
            assert not any(child.word is not None for child in node.children)
        if node.label in ("PX", "ADJX", "ADVX", "NX", "VXFIN", "VXINF"):
            headless = {"KONJ", "APP"} & set(functions)
            assert functions.count("HD") == (0 if headless else 1)


@pytest.mark.parametrize(("scheme", "candidate"), CANDIDATES)
def test_candidates_have_one_line_per_sentence_and_one_without_parse(scheme, candidate):
    trees = PARSED[scheme, candidate]
    assert len(trees) == len(NUMBERS)
    assert trees.count(None) == 1
    unparsed = {(*key, trees.index(None) + 1) for key, trees in PARSED.items()}
    assert len({number for _, actual, number in unparsed if actual == candidate}) == 1
    listed = {
        (row["scheme"], row["candidate"], int(row["sentence"])) for row in ERRORS if row["type"] == "unparsed"
    }
    assert unparsed == listed


@each(scheme=SCHEMES, candidate=("alpha", "beta"), number=NUMBERS)
def test_candidates_differ_from_gold_where_an_error_is_listed(scheme, candidate, number):
    tree, listed = PARSED[scheme, candidate][number - 1], errors(scheme, candidate, number)
    if tree is None:
        assert [row["type"] for row in listed] == ["unparsed"]
        return
    expected = reading.preprocessed(gold(scheme, number))
    assert [n.word for n in tree.nodes() if n.word is not None] == forms(gold(scheme, number))
    assert tree.label == "VROOT"
    inventory = LABELS[scheme]
    assert {n.label for n in tree.phrases()} <= {
        "VROOT",
        *inventory["categories"],
        *inventory.get("fields", []),
    }
    assert {n.label for n in tree.nodes() if n.word is not None} <= {*LABELS["tags"], *inventory["tags"]}
    kinds = {row["type"] for row in listed}
    assert (reading.shape(tree) == reading.shape(expected)) == (kinds <= {"function"})
    same = reading.shape(tree, tags=False) == reading.shape(expected, tags=False)
    assert same == (kinds <= {"pos", "function"})
    functions, wanted = reading.edges(tree), reading.edges(expected)
    wrong = [(key, wanted[key], functions[key]) for key in wanted.keys() & functions.keys()]
    wrong = [(key[1], old, new) for key, old, new in wrong if old != new]
    words = {position: word.word for position, word in enumerate(gold(scheme, number).words)}
    of_content = [
        " ".join(words[p] for p in positions if not reading.punctuation(gold(scheme, number).words[p]))
        for positions, _, _ in wrong
    ]
    assert sorted(of_content) == sorted(row["words"] for row in listed if row["type"] == "function")
    inventory_of_functions = {*inventory["functions"], ""}
    assert {node.function for node in tree.nodes()} <= inventory_of_functions
    retagged = [a.word for a, b in zip(leaves(tree), leaves(expected), strict=True) if a.label != b.label]
    assert sorted(retagged) == sorted(row["words"] for row in listed if row["type"] == "pos")


def leaves(tree):
    return sorted((n for n in tree.nodes() if n.word is not None), key=lambda n: n.position)


@each(row=ERRORS)
def test_errors_name_words_of_their_sentence(row):
    assert (row["scheme"], row["candidate"]) in CANDIDATES
    assert row["type"] in TYPES
    assert row["description"]
    words = iter(
        w.word for w in gold(row["scheme"], int(row["sentence"])).words if not reading.punctuation(w)
    )
    assert all(word in words for word in row["words"].split())
    assert bool(row["words"]) == (row["type"] != "unparsed")


@each(candidate=("alpha", "beta"), number=NUMBERS)
def test_both_schemes_have_the_same_errors(candidate, number):
    tiger, tuebadz = (
        sorted((row["type"], row["words"]) for row in errors(scheme, candidate, number)) for scheme in SCHEMES
    )
    assert tiger == tuebadz


@pytest.mark.parametrize(("scheme", "candidate"), CANDIDATES)
def test_every_type_of_error_is_equally_frequent(scheme, candidate):
    listed = [row["type"] for row in ERRORS if (row["scheme"], row["candidate"]) == (scheme, candidate)]
    assert {listed.count(kind) for kind in TYPES - {"unparsed"}} == {{"alpha": 12, "beta": 5}[candidate]}


def test_alpha_is_the_weaker_candidate_and_every_type_occurs():
    for scheme in SCHEMES:
        wrong = {
            candidate: {
                row["sentence"] for row in ERRORS if (row["scheme"], row["candidate"]) == (scheme, candidate)
            }
            for candidate in ("alpha", "beta")
        }
        assert len(wrong["alpha"]) > 1.5 * len(wrong["beta"])
        assert wrong["beta"] - wrong["alpha"]
        assert {row["type"] for row in ERRORS if row["scheme"] == scheme} == TYPES
