"""Better candidate under each measure, and whether the difference is significant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crossbank.metrics.counting.counts import shown
from crossbank.metrics.counting.presentation import measure_title
from crossbank.reports.findings.family import Family
from crossbank.reports.findings.finding import Finding, cut_listing, figures
from crossbank.reports.results.candidate_pairs import Comparison
from crossbank.reports.results.rankings import rankings


def better_candidates(family: Family) -> Iterator[Finding]:
    """Yield the best candidate by treebank and metric, and those from which it does not differ significantly.

    None where candidates are ranked over treebanks and not every two are compared: ranks say more then.
    """
    study = family.study
    if not study.every_pair and rankings(study):
        return
    found: dict[tuple[str, str], list[Comparison]] = {}
    main = {metric: measure.name for metric, measure in study.headlines.items()}
    for comparison in family.comparisons:
        of, metric = study.scored[comparison.treebank], comparison.metric
        sentences = min(of[name][metric].rows.sum() for name in (comparison.candidate, comparison.other))
        if comparison.measure.name == main[metric] and family.decides(int(sentences)):
            found.setdefault((comparison.treebank, metric), []).append(comparison)
    for of_treebank in found.values():
        said = _of_two(family, of_treebank[0]) if len(of_treebank) == 1 else _of_many(family, of_treebank)
        yield Finding(said, "differences")


def ahead(found: Comparison) -> Comparison:
    """Return the comparison with the better candidate first."""
    value = found.difference.value
    worse = value < 0 if found.measure.better == "more" else value > 0
    return found.turned() if worse else found


def _of_two(family: Family, found: Comparison) -> str:
    alpha = family.study.alpha
    first = ahead(found)
    where = f"in {found.treebank} under {measure_title(found.metric, found.measure)}"
    verb = "is better than" if first.significant(alpha) else "does not differ significantly from"
    said = f"{first.candidate} {verb} {first.other} {where} ({figures(first.difference, found.measure)})."
    if first.parsed is None:
        return said
    numbers = figures(first.parsed, found.measure)
    if not first.turns(alpha):
        return f"{said} The same holds for the sentences that both parsed ({numbers})."
    verdict = first.verdict(alpha, parsed=True)
    names = {1: f"{first.candidate} is better", -1: f"{first.other} is better"}
    turned = names.get(verdict, "the two do not differ significantly")
    return f"{said} For the sentences that both parsed the conclusion turns: {turned} ({numbers})."


def _of_many(family: Family, found: Sequence[Comparison]) -> str:
    study = family.study
    first = found[0]
    measure, metric = first.measure, first.metric
    names = dict.fromkeys(name for c in found for name in (c.candidate, c.other))
    of = study.scored[first.treebank]
    scores = {name: of[name][metric].value(measure.name) for name in names}
    choose = max if measure.better == "more" else min
    best = choose(scores, key=lambda name: scores[name])
    others = [c if c.candidate == best else c.turned() for c in found if best in (c.candidate, c.other)]
    alike = [c.other for c in others if not c.significant(study.alpha)]
    under = measure_title(metric, measure)
    value = shown(scores[best], measure)
    if not alike:
        said = (
            f"{best} has the best {under} in {first.treebank} ({value}) and differs significantly from each "
            f"of the {len(others):,} other candidates."
        )
    elif len(alike) == len(others):
        said = (
            f"In {first.treebank} none of the {len(others):,} other candidates differs significantly from "
            f"{best}, which comes first under {under} ({value})."
        )
    else:
        apart = len(others) - len(alike)
        told = "the other candidate" if apart == 1 else f"the {apart:,} other candidates"
        said = (
            f"{cut_listing([best, *alike])} have the best {under} in {first.treebank} ({best} {value}) and "
            f"do not differ significantly from {best}, which differs from {told}."
            if len(alike) > 1
            else f"{best} and {alike[0]} have the best {under} in {first.treebank} ({value} and "
            f"{shown(scores[alike[0]], measure)}) and do not differ significantly; {best} differs from "
            f"{told}."
        )
    return said + _over_parsed(family, best, others)


def _over_parsed(family: Family, best: str, others: Sequence[Comparison]) -> str:
    """A sentence on the candidates whose unscored sentences are not those of the best."""
    alpha = family.study.alpha
    known = [c for c in others if c.parsed is not None]
    if not known:
        return ""
    turned = [c for c in known if c.turns(alpha)]
    if not turned:
        return " The same holds for the sentences that both parsed."
    by_verdict = {
        verdict: [c.other for c in turned if c.verdict(alpha, parsed=True) == verdict]
        for verdict in (-1, 0, 1)
    }
    phrases = {-1: "are better than {}", 0: "do not differ significantly from {}", 1: "are worse than {}"}
    if sum(map(bool, by_verdict.values())) == 1 and len(turned) == 1:
        phrases = {-1: "is better than {}", 0: "does not differ significantly from {}", 1: "is worse than {}"}
    found = ((verdict, names) for verdict, names in by_verdict.items() if names)
    told = [f"{cut_listing(names)} {phrases[verdict].format(best)}" for verdict, names in found]
    return f" For the sentences that both parsed the conclusion turns: {'; '.join(told)}."
