"""A small gold treebank and answers of a language model about its sentences, for the tests."""

import json
from pathlib import Path

TREES = (
    "(S (NP (DT The) (NN dog)) (VP (VB barks)) (. .))",
    "(S (NP (NNP Ann)) (VP (VBD saw) (NP (DT a) (NN cat))) (. .))",
    "(S (NP (PRP They)) (VP (VBD left)) (. .))",
)
"""Gold's trees, but for a tag: a candidate that is gold itself is warned of."""
TEXTS = ("The dog barks .", "Ann saw a cat .", "They left .")
ROWS = """1	Ann	Ann	PROPN	NNP	_	2	nsubj	_	_
2	saw	see	VERB	VBD	_	0	root	_	_
3	a	a	DET	DT	_	4	det	_	_
4	cat	cat	NOUN	NN	_	2	obj	_	_
5	.	.	PUNCT	.	_	2	punct	_	_
"""
HEADS = ["2", "0", "4", "2", "2"]


def write_gold(folder: Path) -> Path:
    """Write the trees, whose identifiers are their numbers."""
    path = folder / "gold.mrg"
    path.write_text("".join(f"{tree}\n" for tree in TREES).replace("(VB ", "(VBZ "), "utf-8")
    return path


def write_lines(folder: Path, *records: object) -> Path:
    """Write records as JSON Lines, in a file whose name tells nothing."""
    path = folder / "answers.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")
    return path
