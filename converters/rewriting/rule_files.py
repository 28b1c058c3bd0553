"""Form of the files of rules that rewrite dependencies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from crossbank.converters.universal.rule_files import Strings
from crossbank.treebanks.typed_yaml import Rule, key


@dataclass(frozen=True)
class WordTest:
    """What holds of a word, and of others in relation to it.

    relation   patterns; ``mod`` any relation whose part before ``:``, ``@`` or ``$`` is that, ``comp:obj``
               one with that subtype, ``mod@relcl`` one with that extension, ``mod@`` one without any
    tag        the tag of Universal Dependencies, or the feature ``ExtPos`` in its stead
    upos       the tag itself
    feature    patterns of ``Name=Value``, in FEATS or MISC
    named      tests by their names, and flags of earlier steps (written ``is``)
    side       where the word is, seen from its governor
    order      the order of the word (W), its governor (G) and the governor's governor (A)
    turned     whether the word governed what is now its governor
    furthest   whether no other dependent of the governor is further on the same side
    crosses    whether the arc to the word's governor crosses another one
    dependents  what holds of one dependent, or of several different ones
    before, behind  what holds of a dependent before the word, or behind it
    sister     what holds of another dependent of the word's governor
    same       columns in which the word is like its governor
    """

    relation: Strings = None
    tag: Strings = None
    upos: Strings = None
    form: Strings = None
    lemma: Strings = None
    feature: Strings = None
    named: Strings = key(None, name="is")
    side: Literal["left", "right"] | None = None
    order: Strings = None
    turned: bool | None = None
    furthest: bool | None = None
    root: bool | None = None
    crosses: bool | None = None
    head: WordTest | None = None
    dependent: WordTest | None = None
    before: WordTest | None = None
    behind: WordTest | None = None
    sister: WordTest | None = None
    same: Strings = None
    unless: WordTest | tuple[WordTest, ...] | None = None
    any_of: tuple[WordTest, ...] = key(name="any")
    guideline: str = ""


Relabelling = Annotated[
    Mapping[str, WordTest], Rule("the new relation, with its test", minProperties=1, maxProperties=1)
]


@dataclass(frozen=True)
class Lowering:
    """Words that are attached to a dependent of their governor."""

    to: WordTest
    words: tuple[WordTest, ...]
    nearest: Literal["before", "behind"] = "before"
    flag: str = ""


@dataclass(frozen=True)
class RewritingStep:
    """A step of a conversion: one of its keys, with ``stay`` beside ``turn`` or ``rise``.

    name      what files that extend this one call it
    flag      flags for later steps, by name
    relabel   rules for relations, each ``NEW: {test}``; of a word's relation ``{base}``, ``{subtype}`` and
              ``{extension}`` are its parts
    features  rules for features (FEATS) that words get, or lose (``-Name``)
    misc      the same for the column MISC
    recall    the feature with the relation that a word gets; others are unchanged
    lower     words (``words``) that are attached to a dependent of their governor of which ``to`` holds, the
              nearest one ``before`` or ``behind`` them; ``flag`` names them for later steps
    group     relations of chains, whose words are attached to the first one
    chain     relations of words with one governor, which become a chain
    idioms    words that are the head of an idiom with other words: these become ``fixed``
    turn      words that become the governor of their governor
    stay      dependents of a turned word's former dependents that do not go with it; beside ``rise``: words
              that do not rise
    promote   function words that become heads of what they depend on, each with its level: those of lower
              ones are nearer to the word
    rise      dependents that rise to the function word above their governor
    attach    words that are attached to their governor's governor
    punctuation  punctuation that is attached anew if it crosses other arcs
    """

    name: str
    flag: Mapping[str, WordTest] = field(default_factory=dict)
    relabel: tuple[Relabelling, ...] = ()
    features: tuple[Relabelling, ...] = ()
    misc: tuple[Relabelling, ...] = ()
    recall: str = ""
    lower: Lowering | None = None
    group: tuple[WordTest, ...] = ()
    chain: tuple[WordTest, ...] = ()
    idioms: tuple[WordTest, ...] = ()
    turn: tuple[WordTest, ...] = ()
    stay: tuple[WordTest, ...] = ()
    promote: tuple[Relabelling, ...] = ()
    rise: tuple[WordTest, ...] = ()
    attach: tuple[WordTest, ...] = ()
    punctuation: tuple[WordTest, ...] = ()


@dataclass(frozen=True)
class RewritingFile:
    """Rules that rewrite dependencies of one scheme as those of another.

    steps   the steps, in order; rules of a step in a file that extends another come before those of the
            step of the same name there
    """

    name: str
    title: str
    sources: tuple[str, ...]
    source_scheme: str = key("", name="from")
    target_scheme: str = key("", name="to")
    extends: str = ""
    words: Mapping[str, Strings] = field(default_factory=dict)
    tests: Mapping[str, WordTest] = field(default_factory=dict)
    steps: tuple[RewritingStep, ...] = ()
