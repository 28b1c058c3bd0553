"""Three small metrics, four sentences with a candidate, and the study that they make."""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from crossbank.metrics.counting.counts import Breakdown, Counts, Measure, Policy, precision_recall_f1, ratio
from crossbank.metrics.counting.metric import Item, Metric
from crossbank.metrics.pairing.pair import Pair, pair
from crossbank.reports.results.differences import compare_arcs
from crossbank.reports.results.sentence_facts import collect_facts
from crossbank.reports.results.study_results import (
    CandidateResults,
    Conversion,
    StudyResults,
    TreebankResults,
)
from crossbank.reports.results.summary import compute_scores
from crossbank.reports.study.model import Settings
from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.ratios import describe


@dataclass(frozen=True)
class Brackets(Metric):
    name: ClassVar[str] = "brackets"
    version: ClassVar[str] = "1.0"
    view: ClassVar[Literal["constituents", "dependencies"]] = "constituents"
    measures: ClassVar[tuple[Measure, ...]] = precision_recall_f1("gold", "candidate", "matched", "brackets")
    headline: ClassVar[tuple[str, ...]] = ("f1",)

    def counts(self, pair: Pair) -> Counts:
        columns = {name: np.zeros(len(pair)) for name in ("gold", "candidate", "matched")}
        keys: dict[str, int] = {}
        rows = []
        for i in range(len(pair)):
            gold = Counter(zip(pair.gold.labels(i), pair.gold.yields(i), strict=True))
            actual = Counter(zip(pair.candidate.labels(i), pair.candidate.yields(i), strict=True))
            actual = actual if pair.scored[i] else Counter()
            for label in sorted({label for label, _ in gold | actual}):
                sums = [
                    sum(n for (name, _), n in side.items() if name == label)
                    for side in (gold, actual, gold & actual)
                ]
                rows.append((i, keys.setdefault(label, len(keys)), *sums))
                for name, value in zip(columns, sums, strict=True):
                    columns[name][i] += value
        table = np.array(rows, np.float64).reshape(-1, 5)
        parts = Breakdown(
            tuple(keys),
            table[:, 0].astype(np.int32),
            table[:, 1].astype(np.int32),
            {name: table[:, index + 2] for index, name in enumerate(columns)},
        )
        return Counts(
            self.signature(pair),
            self.measures,
            pair.sentence_ids(),
            pair.status,
            columns,
            {"label": lambda: parts},
        )

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        return []


@dataclass(frozen=True)
class Lineages(Metric):
    name: ClassVar[str] = "lineages"
    version: ClassVar[str] = "1.0"
    view: ClassVar[Literal["constituents", "dependencies"]] = "constituents"
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure(
            "mean",
            lambda sums: ratio(sums["mean"], sums["rows"]),
            "mean of the sentences' means",
            title="Avg.",
        ),
    )

    def counts(self, pair: Pair) -> Counts:
        means = [
            np.mean([item.score for item in self.items(pair, i)]) if pair.scored[i] else 0.0
            for i in range(len(pair))
        ]
        return Counts(
            self.signature(pair), self.measures, pair.sentence_ids(), pair.status, {"mean": np.array(means)}
        )

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        sides = [
            [
                [label for label, under in zip(bank.labels(sentence), bank.yields(sentence), strict=True)
                 if under >> word & 1][::-1]
                for word in range(len(bank.words(sentence)))
            ]
            for bank in (pair.gold, pair.candidate)
        ]  # fmt: skip
        actual = []
        for index, (word, gold, candidate) in enumerate(zip(pair.gold.words(sentence), *sides, strict=True)):
            same = sum((Counter(gold) & Counter(candidate)).values())
            score = 2 * same / max(len(gold) + len(candidate), 1)
            lineages = " ".join(gold), " ".join(candidate)
            actual.append(Item("word", word, (index,), "both", score == 1, score, *lineages))
        return actual


@dataclass(frozen=True)
class Heads(Metric):
    name: ClassVar[str] = "heads"
    version: ClassVar[str] = "1.0"
    view: ClassVar[Literal["constituents", "dependencies"]] = "dependencies"
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure("uas", lambda sums: ratio(sums["heads"], sums["gold"]), "right heads / words", title="UAS"),
        Measure("errors", lambda sums: ratio(sums["wrong"], sums["rows"]), "wrong heads", False, "less"),
    )

    def counts(self, pair: Pair) -> Counts:
        size = pair.gold.tokens.lengths().astype(np.float64)
        right = [
            sum(arc.verdict in ("same", "relation") for arc in compare_arcs(pair, i)) if pair.scored[i] else 0
            for i in range(len(pair))
        ]
        columns = {"gold": size, "heads": np.array(right, np.float64), "wrong": size - right}
        return Counts(self.signature(pair), self.measures, pair.sentence_ids(), pair.status, columns)

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        return []


def sentence(
    builder: TreebankBuilder,
    id: str,
    words: str,
    parents: list[int],
    nodes: list[tuple[str, int]],
    heads: list[int],
) -> None:
    """One sentence: ``word/TAG`` joined by spaces, the words' parents, nodes with parents, heads."""
    builder.sentence(id=id, line=int(id.lstrip("s") or 0))
    for word, parent, head in zip(words.split(), parents, heads, strict=True):
        form, _, tag = word.partition("/")
        relation = "ROOT" if head == -1 else tag[:1]
        builder.token(form=form, pos=tag, parent=parent, head=head, relation=relation)
    for label, parent in nodes:
        builder.node(label=label, parent=parent)


def gold_bank() -> Treebank:
    """Return four German sentences, the second discontinuous."""
    builder = TreebankBuilder(source="gold.export")
    pp = "Sie/PPER sieht/VVFIN den/ART Mann/NN mit/APPR Brille/NN"
    sentence(builder, "s1", pp, [0, 0, 1, 1, 2, 2], [("S", -1), ("NP", 0), ("PP", 1)], [1, -1, 3, 1, 3, 4])
    crossing = "Darüber/PROAV muss/VMFIN nachgedacht/VVPP werden/VAINF"
    sentence(builder, "s2", crossing, [2, 0, 2, 1], [("S", -1), ("VP", 0), ("VP", 1)], [2, -1, 3, 1])
    sentence(builder, "s3", "Niemand/PIS lacht/VVFIN", [0, 0], [("S", -1)], [1, -1])
    sentence(builder, "s4", "Ja/PTKANT <&>/$.", [0, -1], [("DL", -1)], [-1, 0])
    return builder.build()


def candidate_bank() -> Treebank:
    """The same sentences with the PP at the verb, another label and node, one unparsed, one shorter."""
    builder = TreebankBuilder(source="parsed.export")
    pp = "Sie/PPER sieht/VVFIN den/ART Mann/NE mit/APPR Brille/NN"
    sentence(
        builder, "s1", pp, [0, 0, 1, 1, 2, 3],
        [("S", -1), ("NP", 0), ("PP", 0), ("NP", 2)], [1, -1, 3, 1, 1, 4],
    )  # fmt: skip
    crossing = "Darüber/PROAV muss/VMFIN nachgedacht/VVPP werden/VAINF"
    sentence(builder, "s2", crossing, [0, 0, 1, 1], [("S", -1), ("VZ", 0)], [1, -1, 3, 1])
    builder.sentence(id="s3")
    sentence(builder, "s4", "Nein/PTKANT <&>/$.", [0, -1], [("DL", -1)], [-1, 0])
    return builder.build()


def results(
    banks: dict[str, Treebank] | None = None, gold: Treebank | None = None, policy: Policy = "empty"
) -> StudyResults:
    """Return a study of one treebank under the three metrics, from banks at hand."""
    gold = gold_bank() if gold is None else gold
    banks = {"raw&ready": candidate_bank()} if banks is None else banks
    metrics: dict[str, Metric] = {actual.name: actual() for actual in (Brackets, Heads, Lineages)}
    pairs = {name: pair(gold, bank) for name, bank in banks.items()}
    candidates = tuple(
        CandidateResults(
            name,
            {metric: actual.counts(both).under(policy) for metric, actual in metrics.items()},
            tuple(both.problems()),
        )
        for name, both in pairs.items()
    )
    settings = Settings("toy_study", samples=200)
    scores = [
        score
        for candidate in candidates
        for metric, counts in candidate.counts.items()
        for score in compute_scores(counts, settings, "klein", candidate.name, metric)
    ]
    conversions = (Conversion("klein", "gold", "constituents", "raise", "children raised", 3, 1, ("s2",)),)
    ratios = {"as read": describe(gold)}
    treebank = TreebankResults("klein", "tiger", ratios, candidates, conversions, collect_facts(gold))
    return StudyResults(
        "toy_study",
        (treebank,),
        scores,
        metrics,
        lambda _, name, metric, rows=None: pairs[name] if rows is None else pairs[name].select(rows),
        provenance={"Versions": {"crossbank": "0.1.0"}},
        title="A small study",
        samples=200,
        trials=1000,
    )
