"""Ways in which models write the same tree and the same rows: all of them are read as these."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from crossbank.language_models.extraction import extract
from tests.language_models.gold_and_answers import HEADS, ROWS

TREE = "(S (NP (NNP Ann)) (VP (VBD saw) (NP (DT a) (NN cat))) (. .))"
NODES: Any = [
    "S",
    ["NP", ["NNP", "Ann"]],
    ["VP", ["VBD", "saw"], ["NP", ["DT", "a"], ["NN", "cat"]]],
    [".", "."],
]
CELLS = [line.split("\t") for line in ROWS.splitlines()]
RELATIONS = [cells[7] for cells in CELLS]


def objects(node: Any, label: str, children: str, word: str) -> Any:
    if isinstance(node[1], str):
        return {label: node[0], word: node[1]}
    return {label: node[0], children: [objects(child, label, children, word) for child in node[1:]]}


def keyed(node: Any) -> Any:
    return {node[0]: node[1] if isinstance(node[1], str) else [keyed(child) for child in node[1:]]}


def written(node: Any, begin: str, end: str, leaf: str) -> str:
    """Return a node with ``{}`` in the marks for its label, and its tag and word in the pattern of leaves."""
    if isinstance(node[1], str):
        return leaf.format(*node)
    inner = " ".join(written(child, begin, end, leaf) for child in node[1:])
    return f"{begin.format(node[0])} {inner}{end.format(node[0])}"


def outline(node: Any, mark: str, leaf: str, depth: int = 0) -> str:
    lines = [
        "  " * depth
        + mark
        + (leaf.format(*node) if isinstance(node[1], str) else leaf.format(node[0], "").rstrip())
    ]
    if not isinstance(node[1], str):
        lines += [outline(child, mark, leaf, depth + 1) for child in node[1:]]
    return "\n".join(lines)


DRAWING = """\
S
├── NP
│   └── NNP Ann
├── VP
│   ├── VBD saw
│   └── NP
│       ├── DT a
│       └── NN cat
└── . .
"""


@pytest.mark.parametrize(
    "answer",
    [
        "\n".join(f"> {line}" for line in TREE.replace(" (", "\n  (").splitlines()),
        f"```lisp {TREE}```",
        TREE.replace("(", "（").replace(")", "）"),
        f'tree = Tree.fromstring("{TREE}")',
        f"(NNP Ann) (VBD saw) (DT a) (NN cat) (. .)\n{TREE}",
        f"<pre><code>{TREE}</code></pre>",
        written(NODES, "({}:", ")", "({}: {})"),
        written(NODES, "({}", ")", '({} "{}")'),
        "\\Tree " + written(NODES, "[.{}", " ]", "[.{} {} ]"),
        "\\begin{forest}\n" + written(NODES, "[{}", "]", "[{} [{}]]") + "\n\\end{forest}",
        written(NODES, "<{}>", "</{}>", "<{0}>{1}</{0}>"),
        "The tree:\n" + json.dumps(objects(NODES, "label", "children", "word"), indent=1) + "\nDone.",
        json.dumps(objects(NODES, "type", "children", "value")),
        json.dumps(objects(NODES, "nonterminal", "subtrees", "terminal")),
        json.dumps(keyed(NODES)),
        "tree = " + str(NODES).replace("[", "(").replace("]", ")"),
        DRAWING,
        f"```\n{DRAWING}```",
        DRAWING.replace("├──", "|--").replace("└──", "`--").replace("│", "|"),
        outline(NODES, "", "{} {}"),
        outline(NODES, "- ", "**{}**: {}").replace("**:\n", "**\n"),
        outline(NODES, "- ", "{}: {}"),
    ],
)
def test_a_tree_in_another_notation(answer: str) -> None:
    extraction = extract(answer)
    assert extraction.tree is not None
    assert extraction.tree.replace(" )", ")") == TREE
    assert not extraction.is_damaged


def table(names: str, rows: list[list[str]]) -> str:
    head = names.split("/")
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, ["---"] * len(head), *rows])


def with_heads(pattern: str, root: str) -> list[list[str]]:
    """Return number, form and relation with the head in words: ``{0}`` is its number, ``{1}`` its form."""
    return [
        [cells[0], cells[1], root if head == "0" else pattern.format(head, CELLS[int(head) - 1][1]), cells[7]]
        for cells, head in zip(CELLS, HEADS, strict=True)
    ]


SHORT = [[cells[0], cells[1], cells[3], cells[6], cells[7]] for cells in CELLS]
RECORDS: list[Mapping[str, Any]] = [
    {"id": int(a), "form": b, "upos": c, "head": int(d), "deprel": e} for a, b, c, d, e in SHORT
]
FROM_ZERO = [[str(int(a) - 1), b, c, str(int(d) - 1), e] for a, b, c, d, e in SHORT]


@pytest.mark.parametrize(
    "answer",
    [
        table("ID/Word/Head/Relation", with_heads("{1} ({0})", "ROOT")),
        table("ID/Word/Head/Relation", with_heads("{0} ({1})", "0 (ROOT)")),
        table("ID/Word/Head/Relation", with_heads("{1}-{0}", "ROOT-0")),
        table("ID/Word/Head/Relation", with_heads("{1}", "root")),
        table("Token #/Word Form/POS Tag/Governor/Dependency Label", SHORT),
        table("ID/FORM/UPOS/FEATS/HEAD/DEPREL", [[*cells[:3], "A=B|C=D", *cells[3:]] for cells in SHORT]),
        "\n".join(" │ ".join(["", *cells, ""]).strip() for cells in SHORT),
        "\n".join("|".join(cells) for cells in SHORT),
        "\n".join(";".join(cells) for cells in SHORT),
        "\n".join(f"{number}. " + " | ".join(cells) for number, *cells in SHORT),
        "\n".join(f"{number}.\t" + "\t".join(cells) for number, *cells in SHORT),
        "\n".join("\\t".join(cells) for cells in CELLS),
        "\n".join("- " + "\t".join(cells) for cells in CELLS),
        "<conllu>" + ROWS + "</conllu>",
        "<table>"
        + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>" for cells in SHORT)
        + "</table>",
        "The parse:\n" + json.dumps(RECORDS, indent=1) + "\nDone.",
        "```\n" + "\n".join(map(json.dumps, RECORDS)) + "\n```",
        json.dumps(SHORT),
        json.dumps([["ID", "FORM", "UPOS", "HEAD", "DEPREL"], *SHORT]),
        json.dumps({row["id"]: row for row in RECORDS}),
        json.dumps({"words": [row[1] for row in SHORT], "heads": HEADS, "relations": RELATIONS}),
        "\n".join(
            f"{relation}({head}, {form}-{number})"
            for number, form, head, relation in with_heads("{1}-{0}", "ROOT-0")
        ),
        "\n".join("\t".join(cells) for cells in FROM_ZERO),
        "0\tROOT\t_\t_\t_\t_\t_\t_\t_\t_\n" + ROWS,
    ],
)
def test_rows_in_another_notation(answer: str) -> None:
    extraction = extract(answer)
    assert extraction.rows is not None
    assert [row[1] for row in extraction.rows] == [cells[1] for cells in CELLS]
    assert [row[6] for row in extraction.rows] == HEADS
    assert [row[7] for row in extraction.rows] == RELATIONS
    assert not extraction.is_damaged


def test_a_head_that_two_words_could_be_is_empty() -> None:
    rows = [["1", "the", "cat", "det"], ["2", "cat", "root", "root"], ["3", "the", "cat", "det"]]
    rows += [["4", "of", "the", "case"]]
    extraction = extract(table("ID/Word/Head/Relation", rows))
    assert extraction.rows is not None
    assert [row[6] for row in extraction.rows] == ["2", "0", "2", "_"]
