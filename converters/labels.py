"""Change labels and functions: strip, split and join functions, replace labels, equate labels of a scheme."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import NO_FUNCTION, LabelSyntax, Scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.errors import RequirementError
from crossbank.treebanks.tables import absent


@transformation(position=30)
def strip_functions(bank: Treebank, scheme: Scheme | None = None, *, tags: bool | None = None) -> Treebank:
    """Reduce labels to categories: ``NP-SBJ-1`` becomes ``NP``, and edges lose their functions.

    tags  whether the tags of tokens are cut as well; by default the scheme decides

    ``-NONE-``, ``-LRB-`` and other labels that begin with a separator are unchanged. Without a
    scheme, labels are cut at ``-``, ``=`` and ``|``, as in the Penn Treebank.

    >>> strip_functions(bank, load_scheme("ptb"))  # doctest: +SKIP
    """
    labels = _syntax(scheme)
    bank = bank.with_strings("nodes", "label", labels.category, keep=scheme is not None)
    if labels.tags if tags is None else tags:
        bank = bank.with_strings("tokens", "pos", labels.category, keep=scheme is not None)
    for name in ("tokens", "nodes"):
        table = getattr(bank, name)
        if not table.lacks("function"):
            bank = bank.replace(**{name: table.replace(function=absent("function", len(table)))})
    return bank


@transformation(position=40)
def split_functions(bank: Treebank, scheme: Scheme | None = None, *, tags: bool | None = None) -> Treebank:
    """Move functions out of labels: ``NP-SBJ-1`` becomes the label ``NP`` and the function ``SBJ``.

    tags  whether the tags of tokens are split as well; by default the scheme decides

    Where an edge already has a function, the function in the label is dropped. Co-indices are dropped
    too. The diagnosis counts both.
    """
    labels = _syntax(scheme)
    bank = _split(bank, "nodes", "label", scheme)
    return _split(bank, "tokens", "pos", scheme) if (labels.tags if tags is None else tags) else bank


@transformation(position=50)
def join_functions(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Move functions into labels: the label ``NX`` and the function ``ON`` become ``NX:ON``.

    It is the inverse of ``split_functions``, for files without a column for functions. The diagnosis
    counts functions that are omitted since they could not be read again: the scheme has none in labels, or
    none in tags, or the label has one already.
    """
    labels = _syntax(scheme)
    bank = _join(bank, "nodes", "label", labels.joined, _silent(scheme))
    of_tags = labels.joined if labels.tags or scheme is None else None
    return _join(bank, "tokens", "pos", of_tags, _silent(scheme))


@transformation(position=60)
def map_labels(
    bank: Treebank,
    scheme: Scheme | None = None,
    *,
    labels: Mapping[str, str],
    of: Literal["nodes", "tags", "functions", "relations"] = "nodes",
) -> Treebank:
    """Replace labels: ``map_labels:labels=PRT>ADVP+NX>NP``.

    labels  new labels by old ones; other labels stay
    of      the labels that are replaced: the categories of nodes, the tags of tokens, the functions of both,
            or the relations of dependencies
    """
    return _mapped(bank, labels, of, "map_labels")


@transformation(position=70)
def equate_labels(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Replace each label by the one that the scheme equates it with."""
    if scheme is None:
        raise RequirementError("equate_labels", "a scheme with equivalences")
    return _mapped(bank, scheme.equivalences, "nodes", "equate_labels")


def functions_of_nodes(bank: Treebank, scheme: Scheme) -> tuple[Treebank, Int32Array]:
    """Return every node's function as a code, and the treebank with the codes' strings.

    A function is the edge's, or else the label's.
    """
    return _functions(bank, bank.nodes.function, bank.nodes.label, scheme)


def functions_of_tokens(bank: Treebank, scheme: Scheme) -> tuple[Treebank, Int32Array]:
    """Return every token's function as a code, and the treebank with the codes' strings.

    A function is the edge's, or else the tag's.
    """
    if not scheme.labels.tags:
        return bank, bank.tokens.function
    return _functions(bank, bank.tokens.function, bank.tokens.pos, scheme)


def _functions(
    bank: Treebank, function: Int32Array, label: Int32Array, scheme: Scheme
) -> tuple[Treebank, Int32Array]:
    none = is_uninformative(bank, function, scheme.no_function)
    if not scheme.labels.function or not none.any():
        return bank, function
    vocabulary, from_label = bank.vocabulary.mapped(label, lambda text: scheme.labels.parts(text).function)
    return bank.replace(vocabulary=vocabulary), _first(bank, function, from_label, none)


def is_uninformative(bank: Treebank, function: Int32Array, silent: frozenset[str]) -> BoolArray:
    """Return a mask of the edges without a function, or with one that says that there is none."""
    codes = (0, *(bank.vocabulary.code(name) for name in silent))
    says_so = np.zeros(len(bank.vocabulary), np.bool_)
    says_so[[code for code in codes if code >= 0]] = True
    return says_so.take(function)


def _first(bank: Treebank, of_edge: Int32Array, in_label: Int32Array, none: BoolArray) -> Int32Array:
    """Return the function of each edge, or the one in the label where the edge says nothing.

    A scheme's own sign for that (the ``-`` of TüBa-D/Z) is kept: it says that functions were annotated.
    """
    from_edge = ~none | ((in_label == 0) & ~is_uninformative(bank, of_edge, NO_FUNCTION))
    return np.where(from_edge, of_edge, in_label).astype(np.int32)


def _silent(scheme: Scheme | None) -> frozenset[str]:
    return NO_FUNCTION if scheme is None else scheme.no_function


def _split(bank: Treebank, table: str, column: str, scheme: Scheme | None) -> Treebank:
    rows, labels = getattr(bank, table), _syntax(scheme)
    old = getattr(rows, column)
    vocabulary, category = bank.vocabulary.mapped(old, labels.category)
    vocabulary, function = vocabulary.mapped(old, lambda label: labels.parts(label).function)
    index = bank.vocabulary.valued(
        old, lambda label: bool((p := labels.parts(label)).index or p.gap), np.bool_
    )
    sentence = rows.sentence_of_row()
    of_edge = ~is_uninformative(bank, rows.function, _silent(scheme))
    second = (function != 0) & of_edge & (function != rows.function)
    events = {
        "functions in labels dropped where the edge has one": sentence[second],
        "co-indices dropped": sentence[index],
    }
    function = _first(bank, rows.function, function, ~of_edge)
    changed = rows.replace(**{column: category, "function": function})
    return bank.replace(vocabulary=vocabulary, **{table: changed}).with_events("split_functions", events)


def _join(
    bank: Treebank,
    table: str,
    column: str,
    joined: Callable[[str, str], str | None] | None,
    silent: frozenset[str],
) -> Treebank:
    rows = getattr(bank, table)
    labels, functions = getattr(rows, column), rows.function
    # Each pair of a label and a function is joined once.
    size = np.int64(len(bank.vocabulary))
    pairs, which = np.unique(labels * size + functions, return_inverse=True)
    written, lost = [], np.zeros(len(pairs), np.bool_)
    for index, pair in enumerate(pairs.tolist()):
        label, function = (bank.vocabulary[code] for code in divmod(pair, int(size)))
        if function and function not in NO_FUNCTION:
            whole = joined(label, function) if joined is not None else None
            lost[index] = whole is None and function not in silent
            label = whole or label
        written.append(label)
    vocabulary, codes = bank.vocabulary.extended(written)
    changed = rows.replace(**{column: codes[which], "function": np.zeros_like(functions)})
    events = {f"functions of {table} dropped, which labels cannot hold": rows.sentence_of_row()[lost[which]]}
    return bank.replace(vocabulary=vocabulary, **{table: changed}).with_events("join_functions", events)


def _syntax(scheme: Scheme | None) -> LabelSyntax:
    return scheme.labels if scheme is not None else LabelSyntax()


def _mapped(bank: Treebank, labels: Mapping[str, str], of: str, name: str) -> Treebank:
    columns = {
        "nodes": (("nodes", "label"),),
        "tags": (("tokens", "pos"),),
        "functions": (("nodes", "function"), ("tokens", "function")),
        "relations": (("tokens", "relation"),),
    }
    for table, column in columns[of]:
        rows = getattr(bank, table)
        codes = getattr(rows, column)
        vocabulary, new = bank.vocabulary.mapped(codes, lambda label: labels.get(label, label))
        if new is codes:
            continue
        counts = {"labels replaced": rows.counted(new != codes)}
        bank = bank.replace(vocabulary=vocabulary, **{table: rows.replace(**{column: new})})
        bank = bank.with_counts(name, counts)
    return bank
