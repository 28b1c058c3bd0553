r"""Rules of Combinatory Categorial Grammar, which combine two signs or change one, tried in order.

Punctuation is absorbed, conjunctions make conjuncts, conjuncts are coordinated; then application (``fa``,
``ba``), composition (``fc``, ``bc``; crossed ``fx``, ``bx``), of up to four arguments; with one child type
raising (``tr``) and the changes that a file lists (``lx``). The derivation names the category of the
result, so a rule fits where it gives that category, and each combination of categories is examined once,
however often it occurs.

Steedman, Mark (2000): The Syntactic Process, chapter 3; Hockenmaier and Steedman (2005), section 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from crossbank.formalisms.ccg.ccg_categories import UNRESTRICTIVE, Category, agree, without_features
from crossbank.formalisms.ccg.conversions.head_sharing import HeadSharing
from crossbank.formalisms.ccg.conversions.signs import OWN, Marking, Position, Sign, sign_of, with_features_of

MOST_ARGUMENTS = 4
"""The most arguments of the secondary functor that composition passes on."""

FRESH = -1
"""The source of a variable of the result that none of the children has."""


class VariableSource(NamedTuple):
    """Source of a variable of the result.

    first, second  variables of the children, those of the right child after those of the left one; ``FRESH``
                   where there is none. Where there are two, their heads are coordinated.
    """

    first: int = FRESH
    second: int = FRESH


class Combination(NamedTuple):
    """Effect of a rule.

    rule     its short name; nothing if no rule combines the children
    sign     the sign of the result
    left_size  how many variables the first child has: those of the second one are numbered after them
    sources  where each variable of the result comes from
    unified  pairs of variables that become one
    head     which child, from 0, has the lexical head
    """

    rule: str
    sign: Sign
    left_size: int
    sources: tuple[VariableSource, ...]
    unified: tuple[tuple[int, int], ...] = ()
    head: Literal[0, 1] = 0


def combine(left: Sign, right: Sign, parent: Category, sharing: HeadSharing) -> Combination | None:
    """Return the combination of two signs to a category; None if no rule gives it."""
    shift = left.variables
    absorbed = _absorbed(left, right, parent, sharing)
    if absorbed is not None:
        return absorbed
    coordinated = _coordinated(left, right, parent) if right.conjunct else None
    if coordinated is not None:
        return coordinated
    if left.position.name in sharing.conjunctions and _makes_conjunct(right, parent):
        return _right("conj", left, right, conjunct=True)
    moved = right.position.renamed({variable: variable + shift for variable in range(right.variables)})
    functors: tuple[tuple[str, Position, Position, Literal[0, 1]], ...] = (
        ("/", left.position, moved, 0),
        ("\\", moved, left.position, 1),
    )
    for slash, functor, other, argument in functors:
        if functor.slash != slash:
            continue
        composition = _composed(functor, other, parent)
        if composition is None:
            continue
        name, result, unified = composition
        return _with_result(name, result, unified, argument, shift)
    if left.position.name in sharing.punctuation:
        # A comma before a noun phrase may change its type, as a rule with one child does.
        changed = change(right, parent, sharing)
        if changed is not None:
            shifted = ([one if one == FRESH else one + shift for one in source] for source in changed.sources)
            return changed._replace(
                sources=tuple(VariableSource(*s) for s in shifted), left_size=shift, head=1
            )
    return None


def _absorbed(left: Sign, right: Sign, parent: Category, sharing: HeadSharing) -> Combination | None:
    """Combine punctuation with a constituent that keeps its category."""
    plain = parent
    if left.conjunct and parent.result is not None and parent.result == parent.argument:
        plain = parent.result  # the node may call the category X of a conjunct X\X
    if right.position.name in sharing.punctuation and agree(left.position.category(), plain):
        sources = tuple(VariableSource(variable) for variable in range(left.variables))
        return Combination("rp", left, left.variables, sources)
    if left.position.name not in sharing.punctuation | sharing.conjunctions:
        return None
    if right.conjunct and _makes_conjunct(right, parent):
        return _right("lp", left, right, conjunct=True)
    if agree(right.position.category(), parent) and "conj" not in _last_features(parent):
        return _right("lp", left, right, conjunct=right.conjunct)
    return None


def _makes_conjunct(sign: Sign, parent: Category) -> bool:
    r"""Return whether a category is that of a conjunct with its conjunction: ``X[conj]`` or ``X\X``."""
    own = sign.position.category()
    if agree(parent, own):
        return True
    # A participle after a comma becomes (S\NP)\(S\NP), too; a conjunct would keep the participle's feature.
    return parent.slash == "\\" and all(
        side is not None and agree(side, own) and _spoken(side) == _spoken(own)
        for side in (parent.result, parent.argument)
    )


def _spoken(category: Category) -> list[tuple[str, ...]]:
    """Return the features of each atom, except those that say nothing."""
    if category.result is None or category.argument is None:
        return [tuple(feature for feature in category.features if feature not in UNRESTRICTIVE)]
    return _spoken(category.result) + _spoken(category.argument)


def _last_features(category: Category) -> tuple[str, ...]:
    """Return the features after all else in a category as written."""
    while category.argument is not None and not category.features:
        category = category.argument
    return category.features


def _right(rule: str, left: Sign, right: Sign, *, conjunct: bool) -> Combination:
    """Return the right child as it is, as a conjunct or not."""
    sources = tuple(VariableSource(left.variables + variable) for variable in range(right.variables))
    return Combination(rule, right._replace(conjunct=conjunct), left.variables, sources, head=1)


def _coordinated(left: Sign, right: Sign, parent: Category) -> Combination | None:
    """Combine two conjuncts; a variable whose heads are known in both gets all of them.

    Other variables are shared.
    """
    if not (
        agree(left.position.category(), right.position.category()) and agree(left.position.category(), parent)
    ):
        return None
    pairs = list(zip(left.position.variables(), right.position.variables(), strict=True))
    numbers = {pair: number for number, pair in enumerate(dict.fromkeys(pairs))}
    position = _numbered(left.position, iter([numbers[pair] for pair in pairs]))
    sign, old = sign_of(with_features_of(position, parent), conjunct=left.conjunct)
    by_number = list(numbers)
    sources = tuple(
        VariableSource(by_number[number][0], by_number[number][1] + left.variables) for number in old
    )
    return Combination("conj", sign, left.variables, sources)


def _numbered(position: Position, numbers: Iterator[int]) -> Position:
    """Return the position with new variables, taken in the order of ``Position.variables``."""
    variable = next(numbers)
    if position.result is None or position.argument is None:
        return position._replace(variable=variable)
    result = _numbered(position.result, numbers)
    return position._replace(variable=variable, result=result, argument=_numbered(position.argument, numbers))


def _composed(
    functor: Position, other: Position, parent: Category
) -> tuple[str, Position, list[tuple[int, int]]] | None:
    """Apply or compose two categories: return the rule, the result, and the variables that become one."""
    result, argument = functor.parts()
    passed: list[Position] = []
    for count in range(MOST_ARGUMENTS + 1):
        if agree(argument.category(), other.category()):
            unified = list(zip(argument.variables(), other.variables(), strict=True))
            whole = result
            for outer in reversed(passed):
                whole = Position(result.variable, "", (), whole, outer.slash, outer.argument)
            if agree(whole.category(), parent):
                return _rule_name(functor.slash, passed), with_features_of(whole, parent), unified
        if count == MOST_ARGUMENTS or other.result is None:
            break
        passed.append(other)
        other = other.result
    return None


def _rule_name(slash: str, passed: list[Position]) -> str:
    direction = "f" if slash == "/" else "b"
    if not passed:
        return f"{direction}a"
    crossed = any(outer.slash != slash for outer in passed)
    return ("g" if len(passed) > 1 else "") + direction + ("x" if crossed else "c")


def _with_result(
    rule: str, result: Position, unified: list[tuple[int, int]], functor: Literal[0, 1], shift: int
) -> Combination:
    """Return the combination with a result over the children's variables.

    Variables that become one count as one.
    """
    variables = [*result.variables(), *(variable for pair in unified for variable in pair)]
    one = {variable: variable for variable in variables}

    def root(variable: int) -> int:
        while one[variable] != variable:
            variable = one[variable]
        return variable

    for first, second in unified:
        one[root(second)] = root(first)
    sign, old = sign_of(result.renamed({variable: root(variable) for variable in variables}))
    heads = [root(one.setdefault(variable, variable)) for variable in (0, shift)]
    other: Literal[0, 1] = 1 if functor == 0 else 0
    # The lexical head is the functor's, but where the result has the head of its argument, as with modifiers.
    from_other = heads[functor] != old[0] and heads[other] == old[0]
    sources, pairs = tuple(VariableSource(variable) for variable in old), tuple(dict.fromkeys(unified))
    return Combination(rule, sign, shift, sources, pairs, other if from_other else functor)


def change(child: Sign, parent: Category, sharing: HeadSharing) -> Combination | None:
    """Combine one child: nothing changes, its type is raised, or a listed rule changes it."""
    own = child.position.category()
    if agree(own, parent):
        sources = tuple(VariableSource(variable) for variable in range(child.variables))
        return Combination("lx", child, child.variables, sources)
    raised = _raised(child, parent, sharing)
    if raised is not None:
        return raised
    signs = sharing.unary.get((without_features(own), without_features(parent)))
    if signs is None:
        return None
    before, after = signs
    known = {OWN: 0}
    _bind(before, child.position, known)
    marking = Marking(sharing, known, child.variables)
    position = marking.argument(parent.bare(), after)
    if not after.is_atom:
        position = position._replace(variable=0)
    return _of_one_child("lx", position, child)


def _bind(pattern: Category, position: Position, known: dict[str, int]) -> None:
    """Note the variable of each position that a pattern gives a name."""
    if pattern.variable:
        known[pattern.variable] = position.variable
    if pattern.result is not None and pattern.argument is not None:
        result, argument = position.parts()
        _bind(pattern.result, result, known)
        _bind(pattern.argument, argument, known)


def _raised(child: Sign, parent: Category, sharing: HeadSharing) -> Combination | None:
    r"""Raise a type: ``X`` to ``T/(T\X)`` or ``T\(T/X)``."""
    inner = parent.argument
    if parent.result is None or inner is None or inner.result is None or inner.argument is None:
        return None
    if not (
        agree(inner.argument, child.position.category())
        and agree(parent.result, inner.result)
        and parent.slash != inner.slash
    ):
        return None
    marking = Marking(sharing, fresh=child.variables)
    result = marking.argument(parent.result.bare())
    same = with_features_of(result, inner.result.bare())
    argument = Position(
        result.variable, "", (), same, inner.slash, with_features_of(child.position, inner.argument.bare())
    )
    return _of_one_child("tr", Position(0, "", (), result, parent.slash, argument), child)


def _of_one_child(rule: str, position: Position, child: Sign) -> Combination:
    sign, old = sign_of(position)
    sources = tuple(VariableSource(variable if variable < child.variables else FRESH) for variable in old)
    return Combination(rule, sign, child.variables, sources)


def uncombined(left: Sign, parent: Category, sharing: HeadSharing) -> Combination:
    """Return the combination of children that no rule combines.

    It has the parent's category and the first child's head.
    """
    position = Marking(sharing, fresh=left.variables).argument(parent.bare())
    return _of_one_child("", position._replace(variable=0), left)
