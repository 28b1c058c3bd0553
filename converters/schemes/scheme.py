"""Annotation schemes: all that is language- or treebank-specific, read from YAML.

The schemes that come with Crossbank are in ``schemes/``; a scheme of one's own is a YAML file of the
same form, described by ``schemes/schema.json``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from crossbank.converters.dependencies.rules import (
    Coordination,
    FlatPhrase,
    LongDistance,
    VerbComplex,
    lists_of,
)
from crossbank.converters.heads.rules import HeadGroup, HeadRules, head_groups, head_rules
from crossbank.converters.schemes.constructions import Erasures, FlatKey, FrameRules, Redrawing
from crossbank.converters.schemes.label_syntax import LabelSyntax
from crossbank.converters.schemes.views import with_views
from crossbank.treebanks import OptionError, Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.yaml_files import YamlError, at, check, load_yaml

PLAIN_LABELS = LabelSyntax("", "", "")
"""Labels that are categories and nothing else."""

SCHEMES = Path(__file__).parent


@dataclass(frozen=True)
class TokenClass:
    """Tokens of a kind, by tag or by form (regular expressions that match the whole form)."""

    tags: frozenset[str] = frozenset()
    forms: tuple[str, ...] = ()

    def mask(self, bank: Treebank, labels: LabelSyntax) -> BoolArray:
        """Which tokens of a treebank belong to it, shape ``(tokens,)``; by UPOS or by XPOS in CoNLL-U."""

        def accept(tag: str) -> bool:
            return tag in self.tags or labels.category(tag) in self.tags

        tagged: BoolArray = _used(bank, "pos", accept)
        if bank.tokens.xpos.any():
            tagged = tagged | _used(bank, "xpos", accept)
        if not self.forms:
            return tagged
        pattern = re.compile("|".join(f"(?:{form})" for form in self.forms))
        found: BoolArray = tagged | _used(bank, "form", lambda form: pattern.fullmatch(form) is not None)
        return found


@dataclass(frozen=True)
class ErrorLabels:
    """What labels mean in error types.

    attachment    the type of error by the category of the constituent that is attached elsewhere
    coordination  categories of coordinations
    conjunctions  tags of the conjunctions in them
    """

    attachment: Mapping[str, str] = field(default_factory=dict)
    coordination: frozenset[str] = frozenset()
    conjunctions: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Traces:
    """Empty elements that stand for a constituent with the same index, by their form without it.

    moved      the constituent belongs where they stand: ``*T*``, ``*ICH*``
    coindexed  it belongs where it is, and is understood where they stand: ``*``
    """

    moved: tuple[str, ...] = ()
    coindexed: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Scheme:
    """An annotation scheme.

    punctuation, empty, metadata  which tokens are what
    root_labels      labels of nodes that only say that a tree begins; the empty string is one of them
    virtual_root     the label that ``virtual_root`` gives
    labels           what stands in labels beside the category
    lemma_separator  ``-`` where leaves are ``word-lemma``
    no_function      functions that say nothing, such as ``--``
    traces           empty elements that stand for another constituent
    heads            head rules
    rule_sets        further head rules by name
    prepositions     head groups by convention (``noun``, ``preposition``) and category
    coordination     conjuncts and conjunctions
    long_distance    functions that name another constituent
    verb_complex     what depends on main verbs, where it is not to depend on finite verbs
    flat_phrases     phrases to insert before dependencies are read off
    transparent      categories whose children depend on what governs the node, such as fields
    clause_parts     categories whose fields belong to the clause around them, unless their lexical head
                     has one of some tags
    unlabelled       categories whose own function says nothing: the relation is that of their head
    equivalences     labels by the label they count as
    error_types      what labels mean in error types
    universal_tags, universal_features  those of Universal Dependencies by the scheme's tags, and by parts
                     of its morphology
    inventory        meanings by label, for ``tags``, ``categories`` and ``functions``
    delete           which tokens metrics leave out: ``punct`` or ``none``
    views            conversions by the name of the view that they make
    """

    name: str
    title: str
    sources: tuple[str, ...]
    language: str = ""
    punctuation: TokenClass = TokenClass()
    empty: TokenClass = TokenClass()
    metadata: TokenClass = TokenClass()
    root_labels: frozenset[str] = frozenset(("",))
    virtual_root: str = "VROOT"
    labels: LabelSyntax = PLAIN_LABELS
    lemma_separator: str = ""
    no_function: frozenset[str] = frozenset()
    traces: Traces = Traces()
    heads: HeadRules = field(default_factory=HeadRules)
    rule_sets: Mapping[str, HeadRules] = field(default_factory=dict)
    prepositions: Mapping[str, Mapping[str, tuple[HeadGroup, ...]]] = field(default_factory=dict)
    coordination: Coordination = field(default_factory=Coordination)
    long_distance: LongDistance = field(default_factory=LongDistance)
    verb_complex: VerbComplex = field(default_factory=VerbComplex)
    flat_phrases: tuple[FlatPhrase, ...] = ()
    transparent: frozenset[str] = frozenset()
    clause_parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unlabelled: frozenset[str] = frozenset()
    equivalences: Mapping[str, str] = field(default_factory=dict)
    erasures: Erasures | None = None
    redrawing: Redrawing | None = None
    flat_key: FlatKey | None = None
    frames: FrameRules | None = None
    error_types: ErrorLabels = ErrorLabels()
    universal_tags: Mapping[str, str] = field(default_factory=dict)
    universal_features: Mapping[str, str] = field(default_factory=dict)
    inventory: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    delete: Literal["punct", "none"] = "none"
    views: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def is_punctuation(self, bank: Treebank) -> BoolArray:
        """Which tokens are punctuation, shape ``(tokens,)``."""
        return self.punctuation.mask(bank, self.labels)

    def is_empty(self, bank: Treebank) -> BoolArray:
        """Which tokens are empty elements (traces, silent subjects), shape ``(tokens,)``."""
        return self.empty.mask(bank, self.labels)

    def has_tag(self, bank: Treebank, tags: tuple[str, ...]) -> BoolArray:
        """Which tokens have a tag that matches one of some patterns, shape ``(tokens,)``."""
        category = self.labels.category
        return _used(bank, "pos", lambda tag: any(fnmatchcase(category(tag), like) for like in tags))

    def is_metadata(self, bank: Treebank) -> BoolArray:
        """Which tokens are no words at all (identifiers, editors' codes), shape ``(tokens,)``."""
        return self.metadata.mask(bank, self.labels)


def scheme_names() -> list[str]:
    """The schemes that come with Crossbank."""
    return sorted(path.stem for path in SCHEMES.glob("*.yaml"))


def load_scheme(name_or_path: str | Path) -> Scheme:
    """A scheme by name, or from a YAML file of one's own; read once in a process.

    Raises OptionError for a name that is not known, YamlError where a file is not a scheme: the
    message names the file, the line, the key, what was found and what was expected.
    """
    name = str(name_or_path)
    if re.fullmatch(r"[\w-]+", name):
        path = SCHEMES / f"{name}.yaml"
        if not path.is_file():
            raise OptionError("scheme", name, [*scheme_names(), "the path of a YAML file"])
        return _load(path, 0.0)
    path = Path(name_or_path)
    return _load(path, path.stat().st_mtime if path.is_file() else 0.0)


@lru_cache(maxsize=32)
def _load(path: Path, changed: float) -> Scheme:
    """``changed``: when the file was last changed, so that a changed file is read again."""
    scheme = _scheme(_content(path), path)
    if path.parent != SCHEMES:
        _check_views(scheme, path)
    return scheme


def scheme_schema() -> dict[str, Any]:
    """The JSON schema of a scheme file, with all views."""
    return with_views(json.loads((SCHEMES / "schema.json").read_text(encoding="utf-8")))


def _content(path: Path) -> dict[str, Any]:
    """A scheme's YAML, checked unless it is one of ours (a test does that), on top of what it extends."""
    content = load_yaml(path)
    if path.parent != SCHEMES:
        check(content, scheme_schema(), path)
    if "extends" not in content:
        return dict(content)
    base = content["extends"]
    if base not in scheme_names():
        found = f"found {base!r}, expected one of {', '.join(scheme_names())}"
        raise YamlError(at(path, ["extends"], found))
    return _merged(_content(SCHEMES / f"{base}.yaml"), content)


def _merged(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Mappings are merged, everything else is replaced."""
    merged = dict(base)
    for key, value in own.items():
        both = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = _merged(base[key], value) if both else value
    return merged


def _scheme(content: Mapping[str, Any], path: Path) -> Scheme:
    tokens, roots = content.get("tokens", {}), content.get("roots", {})
    heads, dependencies = content.get("heads", {}), content.get("dependencies", {})
    errors = content.get("error_types", {})
    scheme = Scheme(
        name=content["name"],
        title=content["title"],
        sources=tuple(content["sources"]),
        language=content.get("language", ""),
        punctuation=_token_class(tokens.get("punctuation", {})),
        empty=_token_class(tokens.get("empty", {})),
        metadata=_token_class(tokens.get("metadata", {})),
        root_labels=frozenset(("", *roots.get("labels", ()))),
        virtual_root=roots.get("virtual", "VROOT"),
        labels=replace(PLAIN_LABELS, **content.get("labels", {})),
        lemma_separator=tokens.get("lemma_separator", ""),
        no_function=frozenset(content.get("no_function", ())),
        traces=Traces(**{kind: tuple(forms) for kind, forms in content.get("traces", {}).items()}),
        heads=head_rules(heads),
        rule_sets={name: head_rules(_merged(heads, rules)) for name, rules in heads.get("sets", {}).items()},
        prepositions={
            name: head_groups(groups) for name, groups in dependencies.get("prepositions", {}).items()
        },
        coordination=Coordination.of(dependencies.get("coordination", {})),
        long_distance=LongDistance.of(dependencies.get("long_distance", {})),
        verb_complex=VerbComplex.of(dependencies.get("verb_complex", {})),
        flat_phrases=tuple(map(FlatPhrase.of, dependencies.get("flat_phrases", ()))),
        transparent=frozenset(dependencies.get("transparent", ())),
        clause_parts=lists_of(dependencies.get("clause_parts", {})),
        unlabelled=frozenset(dependencies.get("unlabelled", ())),
        equivalences=content.get("equivalences", {}),
        erasures=Erasures.of(content["erase"]) if "erase" in content else None,
        redrawing=Redrawing.of(content["redraw"]) if "redraw" in content else None,
        frames=FrameRules.of(content["frames"]) if "frames" in content else None,
        flat_key=FlatKey.of(content["flat_key"]) if "flat_key" in content else None,
        error_types=ErrorLabels(
            errors.get("attachment", {}),
            frozenset(errors.get("coordination", ())),
            frozenset(errors.get("conjunctions", ())),
        ),
        universal_tags={tag: u for u, tags in content.get("universal_tags", {}).items() for tag in tags},
        universal_features=content.get("universal_features", {}),
        inventory=content.get("inventory", {}),
        delete=content.get("delete", "none"),
        views={name: tuple(steps) for name, steps in content.get("views", {}).items()},
    )
    for kind in ("punctuation", "empty", "metadata"):
        for place, form in enumerate(getattr(scheme, kind).forms):
            try:
                re.compile(form)
            except re.error as error:
                message = f"found {form!r}, expected a regular expression ({error})"
                raise YamlError(at(path, ["tokens", kind, "forms", place], message)) from error
    return scheme


def _check_views(scheme: Scheme, path: Path) -> None:
    """Raises YamlError where a view has a conversion that there is not."""
    from crossbank.converters.transformations import parse

    for view, steps in scheme.views.items():
        for place, step in enumerate(steps):
            try:
                parse(step)
            except OptionError as error:
                raise YamlError(at(path, ["views", view, place], str(error))) from error


def _token_class(content: Mapping[str, Any]) -> TokenClass:
    return TokenClass(frozenset(content.get("tags", ())), tuple(content.get("forms", ())))


def _used(bank: Treebank, column: str, accept: Any) -> BoolArray:
    """Which tokens have an accepted string in a column; each string that occurs is asked about once."""
    codes = getattr(bank.tokens, column)
    used = np.zeros(len(bank.vocabulary), np.bool_)
    used[codes] = True
    accepted = np.zeros(len(bank.vocabulary), np.bool_)
    for code in np.flatnonzero(used).tolist():
        accepted[code] = accept(bank.vocabulary[code])
    found: BoolArray = accepted[codes]
    return found
