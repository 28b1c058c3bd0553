"""Findings on hand-made studies: which sentence must be there, and which must not."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from crossbank.metrics.analyses.conversion_reliability import Agreement, Reliability
from crossbank.metrics.analyses.tree_repair import ParsingError
from crossbank.metrics.counting.counts import Measure, ratio
from crossbank.metrics.statistics.significance import Difference
from crossbank.parsers.cross_entropy import SentenceBits
from crossbank.reports.findings.candidates import better_candidates
from crossbank.reports.findings.family import family, family_of
from crossbank.reports.findings.finding import listing
from crossbank.reports.findings.information_contrasts import measured as measured_models
from crossbank.reports.findings.learning import Lead, _size, schemes_along_axes
from crossbank.reports.findings.measures import agreement_on_candidates
from crossbank.reports.results.candidate_pairs import ranks
from crossbank.reports.results.measured_conversions import Measured
from crossbank.reports.results.prices import prices
from crossbank.reports.results.sentence_facts import SentenceFacts
from crossbank.reports.results.study_results import CandidateResults, StudyResults, TreebankResults
from crossbank.reports.results.typed_errors import CandidateErrors
from crossbank.reports.sections.error_types import costliest_errors
from crossbank.reports.sections.information import Information, bits_of_models
from crossbank.reports.sections.reliability import trust_in_conversion
from crossbank.reports.sections.same_error import cost_chart, price_of_errors, same_error
from crossbank.reports.sections.unscored import unscored_sentences
from tests.reports.counted import both, brackets, lineages


def study(**candidates: dict) -> StudyResults:
    """One treebank with candidates, by their counts."""
    found = [CandidateResults(name, counts) for name, counts in candidates.items()]
    return StudyResults("hand", [TreebankResults("bank", candidates=found)], samples=200, trials=500)


def test_the_better_of_two_candidates_is_named_with_figures() -> None:
    said = [f.text for f in better_candidates(family(study(poor=both(0.6), good=both(0.9, 2))))]
    assert len(said) == 2
    assert re.fullmatch(
        r"good is better than poor in bank under brackets F1 "
        r"\(\+\d+\.\d\d points, 95 % interval \+\d+\.\d\d to \+\d+\.\d\d, corrected p = 0\.002\)\.",
        said[0],
    )


def test_candidates_that_may_be_the_same_are_not_called_equal() -> None:
    said = [f.text for f in better_candidates(family(study(one=both(0.8, 1), other=both(0.8, 2))))]
    assert all("does not differ significantly from" in text for text in said)
    assert not any("equal" in text or " better" in text for text in said)


def test_the_best_of_many_says_from_whom_it_is_not_told_apart() -> None:
    twins = {"best": both(0.9, 1), "twin": both(0.9, 2), "poor": both(0.5, 3), "poorer": both(0.3, 4)}
    first = next(better_candidates(family(study(**twins)))).text
    assert re.match(
        r"(best and twin|twin and best) have the best brackets F1 in bank \(\d\d\.\d\d and \d\d\.\d\d\) and "
        r"do not differ significantly; (best|twin) differs from the 2 other candidates\.$",
        first,
    )


def test_one_candidate_alone_is_compared_with_nobody() -> None:
    alone = study(only=both(0.8))
    assert not [*better_candidates(family(alone)), *agreement_on_candidates(family(alone))]


def test_measures_that_part_are_named() -> None:
    good, poor = brackets(0.9, 1), brackets(0.6, 2)
    crossed = study(
        one={"brackets": good, "lineages": lineages(poor)},
        other={"brackets": poor, "lineages": lineages(good)},
    )
    (said,) = (f.text for f in agreement_on_candidates(family(crossed)))
    assert said == (
        "In bank the measures disagree: brackets F1 prefers one, lineages Avg. prefers other, and each finds "
        "the difference significant."
    )


def test_measures_that_agree_say_so_and_those_without_a_real_difference_say_nothing() -> None:
    (said,) = (f.text for f in agreement_on_candidates(family(study(poor=both(0.6), good=both(0.9, 2)))))
    assert "In bank the 2 measures agree: where two of them find a significant difference" in said
    assert not list(agreement_on_candidates(family(study(one=both(0.8, 1), other=both(0.8, 2)))))


def test_unscored_sentences_are_told_with_their_reason() -> None:
    counts = brackets(0.8)
    status = counts.status.copy()
    status[:3], status[3] = 1, 2
    found = study(full=both(0.8), gaps={"brackets": replace(counts, status=status)})
    said = [f.text for f in unscored_sentences(family(found))]
    assert said == ["Some sentences of bank have no score (gaps: 3 no parse and 1 words differ of 120)."]
    assert not list(unscored_sentences(family(study(full=both(0.8)))))


def test_the_conversion_is_compared_with_the_differences() -> None:
    agreed = Agreement("", 1000, 1000, 990, 990)
    measured = Reliability("without functions", "s", False, 100, 95, 0, agreed, (), (), (0.98, 0.995))
    found = study(poor=both(0.6), good=both(0.9, 2))
    trusted = replace(found.treebanks[0], reliability=Measured(None, measured))  # type: ignore[arg-type]
    (said,) = (f.text for f in trust_in_conversion(family(replace(found, treebanks=[trusted]))))
    assert said == (
        "The conversion of bank gives the same head with and without functions for 99.00 % of the tokens "
        "that are no punctuation (95 % interval 98.00 to 99.50)."
    )
    assert not list(trust_in_conversion(family(found)))


def same_sentences() -> tuple[StudyResults, list[CandidateErrors]]:
    """Two treebanks of the same ten sentences; one PP error in each, twice as dear in the first."""
    banks, errors = [], []
    for name, loss in (("flat", 0.2), ("deep", 0.1)):
        counts = lineages(brackets(0.8, size=10))
        counts = replace(counts, columns={"mean": 1 - loss * (1 + 0.1 * np.arange(10))})
        candidate = CandidateResults("parser", {"lineages": counts})
        facts = SentenceFacts(np.full(10, 7, np.int32), str, digest="same")
        banks.append(TreebankResults(name, "scheme", candidates=[candidate], sentences=facts))
        one_each = [ParsingError(sentence, "pp_attachment", (0,)) for sentence in range(9)]
        two = [ParsingError(9, "pp_attachment", (0,)), ParsingError(9, "span", (1,))]
        errors.append(CandidateErrors.of(banks[-1], candidate, [*one_each, *two]))
    return StudyResults("hand", banks, samples=500), errors


def test_the_price_of_the_same_error_under_two_schemes() -> None:
    found, errors = same_sentences()
    priced = prices(found, errors)
    assert [(p.type, len(p.losses)) for p in priced] == [("pp_attachment", 9), ("all", 9)]
    assert priced[0].mean().tolist() == [0.28, 0.14]
    chart = cost_chart(found, priced).chart
    assert [(row["name"], row["text"]) for row in chart.rows] == [
        ("lineages Avg. · flat", "28.00"),
        ("lineages Avg. · deep", "14.00"),
    ]
    table = same_error(found, priced)
    assert [cell.text for cell in table.rows[0]] == ["PP attachment", "9", "28.00", "14.00"]
    (said,) = (f.text for f in price_of_errors(family_of(found, errors, priced)))
    assert said.startswith(
        "One error costs 28.00 points of lineages Avg. in flat and 14.00 in deep, a significant difference "
        "(+14.00 points"
    )
    assert "lineages" in next(costliest_errors(family_of(found, errors, priced))).text


def test_treebanks_of_other_sentences_have_no_common_price() -> None:
    found, errors = same_sentences()
    other = replace(
        found.treebanks[1], sentences=SentenceFacts(np.full(10, 7, np.int32), str, digest="another")
    )
    moved = [errors[0], replace(errors[1], treebank=other)]
    assert not prices(replace(found, treebanks=[found.treebanks[0], other]), moved)


def test_names_in_a_row() -> None:
    assert listing(["a"]) == "a"
    assert listing(["a", "b", "c"]) == "a, b and c"


def with_bits(words: tuple[int, int], needed: tuple[float, float]) -> StudyResults:
    """Two treebanks with one candidate each, whose sentences have so many words and need so many bits."""
    treebanks = []
    for place, (name, length, mean) in enumerate(zip(("trees", "arcs"), words, needed, strict=True)):
        counts = brackets(0.8 - place / 10, place)
        bits = np.random.default_rng(place).normal(mean, 1.0, len(counts))
        candidate = CandidateResults(
            "model",
            {"brackets": counts},
            bits=SentenceBits(bits, *[np.full(len(bits), length, np.int32)] * 2),
        )
        treebanks.append(TreebankResults(name, candidates=[candidate]))
    return StudyResults("hand", treebanks, samples=200)


def test_the_scheme_that_needs_fewer_bits_is_named() -> None:
    said = [f.text for f in bits_of_models(family(with_bits((10, 10), (70.0, 90.0))))]
    assert len(said) == 5
    assert re.match(
        r"The model of model in trees needs (6|7)\.\d\d \(95 % interval .*\) bits for a word and .* for a "
        r"sentence; 0 of 120 sentences are left out\.",
        said[0],
    )
    assert re.match(
        r"For the same sentences, with words as input, model in trees needs fewer bits for a word than model "
        r"in arcs \(\+(1|2)\.\d\d, 95 % interval .*\)\. That is a statement on the two models under",
        said[2],
    )
    assert re.match(
        r"Per bit of a sentence brackets recall of model in trees is 1\.1\d points and brackets recall of "
        r"model in arcs 0\.7\d; the two differ significantly, and the first is higher \(\+0\.3",
        said[4],
    )


def test_schemes_that_need_the_same_are_not_told_apart() -> None:
    said = [f.text for f in bits_of_models(family(with_bits((10, 10), (80.0, 80.0))))]
    assert "do not differ significantly" in said[2]


def test_all_models_of_a_text_are_measured_on_the_same_sentences() -> None:
    made = with_bits((10, 10), (70.0, 90.0))
    for place, treebank in enumerate(made.treebanks):
        bits = treebank.candidates[0].bits
        assert bits is not None
        bits.bits[place] = np.inf
    assert [model.bits.parsed.tolist() for model in measured_models(made)] == [
        [False, False] + [True] * 118
    ] * 2
    section = Information(made)
    assert [[cell.text for cell in row] for row in section.tables[2].rows] == [
        ["trees", "model", "s1"],
        ["arcs", "model", "s2"],
    ]
    assert [[cell.text for cell in row[-3:]] for row in section.tables[0].rows] == [["1,180", "1", "1"]] * 2


def test_models_of_other_inputs_are_not_compared() -> None:
    made = with_bits((10, 10), (70.0, 90.0))
    (candidate,) = made.treebanks[1].candidates
    assert candidate.bits is not None
    tags = replace(candidate, bits=replace(candidate.bits, input="tags"))
    made = replace(made, treebanks=[made.treebanks[0], replace(made.treebanks[1], candidates=[tags])])
    assert len(list(bits_of_models(family(made)))) == 2


def test_models_of_other_sentences_are_not_compared() -> None:
    assert len(list(bits_of_models(family(with_bits((10, 11), (70.0, 90.0)))))) == 2
    assert not list(bits_of_models(family(study(only=both(0.8)))))


def grown(**treebanks: dict[int, tuple[float, float]]) -> StudyResults:
    """Treebanks with a candidate for each training size, by its scores under two metrics."""
    found = []
    for place, (name, sizes) in enumerate(treebanks.items()):
        candidates = [
            CandidateResults(
                f"parser_{size}",
                {
                    "brackets": brackets(by_brackets, place, size=400, gold_seed=place),
                    "lineages": lineages(brackets(by_lineages, place, size=400, gold_seed=place), noise=0.01),
                },
                attributes={"training_size": size},
            )
            for size, (by_brackets, by_lineages) in sizes.items()
        ]
        found.append(TreebankResults(name, candidates=candidates))
    return StudyResults("hand", found, samples=200)


def test_a_change_along_an_axis_is_shown_by_all_intervals_together() -> None:
    """Two intervals of 95 % that do not meet are not enough where several are looked at."""
    lead = Lead(
        "m", next(iter(both(0.8)["brackets"].measures)), ("a", "b"), (1, 1), Difference(4, 2, 6), True
    )
    (low, high), (lower, higher) = (_size(lead, of) or (0.0, 0.0) for of in (1, 8))
    assert [low, high] == pytest.approx([2, 6])
    assert (4 - lower) / 2 == (higher - 4) / 2 == pytest.approx(norm.ppf(1 - 0.025 / 8) / norm.ppf(0.975))


def test_measures_that_follow_the_first_one_are_named_with_figures() -> None:
    study = grown(tiger={100: (0.4, 0.4), 400: (0.6, 0.6)}, tuba={100: (0.8, 0.8), 400: (0.8, 0.8)})
    said = [f.text for f in schemes_along_axes(family(study))]
    assert len(said) == 3
    assert re.match(
        r"At training size 400 brackets F1 puts tuba ahead \(\+[12]\d\.\d\d points, 95 % interval \+", said[0]
    )
    assert said[0].endswith(" So lineages Avg. follows brackets F1, under which tuba is ahead.")
    assert "under brackets F1 it becomes smaller (" in said[1]
    assert said[2].endswith(
        "the ranking turns under no measure; it stays under brackets F1 and lineages Avg."
    )


def test_a_ranking_that_turns_under_one_measure_is_told() -> None:
    study = grown(tiger={100: (0.4, 0.4), 400: (0.6, 0.9)}, tuba={100: (0.8, 0.8), 400: (0.8, 0.8)})
    said = [f.text for f in schemes_along_axes(family(study))]
    assert said[0].endswith(" So lineages Avg. does not follow brackets F1, under which tuba is ahead.")
    assert "the ranking turns under lineages Avg.; it stays under brackets F1." in said[2]


def test_the_largest_sizes_are_compared_where_they_differ() -> None:
    study = grown(
        tiger={100: (0.4, 0.4), 400: (0.6, 0.6), 2000: (0.75, 0.825)},
        tuba={100: (0.8, 0.8), 400: (0.8, 0.8)},
    )
    said = [f.text for f in schemes_along_axes(family(study))]
    assert said[3].startswith(
        "With the largest training size of each (tiger 2,000, tuba 400) brackets F1 puts tuba"
    )
    assert "under lineages Avg. tiger and tuba do not differ significantly (" in said[3]
    assert "a lead is no longer significant under lineages Avg." in said[4]


def test_a_finding_along_an_axis_names_its_line_where_there_are_several() -> None:
    study = grown(tiger={100: (0.4, 0.4), 400: (0.6, 0.6)}, tuba={100: (0.8, 0.8), 400: (0.8, 0.8)})
    for treebank in study.treebanks:
        for candidate in treebank.candidates:
            candidate.attributes["parser"] = "alder"
            for counts in candidate.counts.values():
                counts.status[:3] = 1
        treebank.candidates.extend(
            [
                replace(c, name=f"birch_{c.name}", attributes={**c.attributes, "parser": "birch"})
                for c in treebank.candidates
            ]
        )
    said = [f.text for f in schemes_along_axes(family(study))]
    assert [text.split(":")[0] for text in said] == ["With parser alder"] * 3 + ["With parser birch"] * 3
    assert ". For the parsed sentences the same holds: at training size 400 " in said[0]
    assert said[2].endswith("lineages Avg. For the parsed sentences the same holds.")


def test_lines_with_one_common_point_are_not_compared() -> None:
    assert not list(
        schemes_along_axes(family(grown(tiger={100: (0.4, 0.4), 200: (0.5, 0.5)}, tuba={100: (0.8, 0.8)})))
    )
    assert not list(schemes_along_axes(family(study(only=both(0.8)))))


def gaps(counts: dict, rows: slice, *, status: int = 1) -> dict:
    """Return the same counts with some sentences without a parse, in which nothing is found."""
    found = {}
    for metric, of in counts.items():
        unparsed = of.status.copy()
        unparsed[rows] = status
        columns = {
            name: np.where(unparsed == 0, c, c if name == "gold" else 0.0) for name, c in of.columns.items()
        }
        found[metric] = replace(of, status=unparsed, columns=columns)
    return found


def test_a_difference_of_coverage_turns_for_the_sentences_that_both_parsed() -> None:
    """505 of 2,193 sentences unparsed: the parser that is better where it parses comes last over all."""
    better, poor = both(0.9, 1), both(0.8, 2)
    found = family(study(gappy=gaps(better, slice(0, 60)), full=poor))
    (said, *_) = (f.text for f in better_candidates(found))
    assert re.match(
        r"full is better than gappy in bank under brackets F1 \(\+.*\)\. For the sentences that both parsed "
        r"the conclusion turns: gappy is better \(−\d+\.\d\d points, 95 % interval −.* to −.*, "
        r"corrected p = 0\.002\)\.$",
        said,
    )
    parsed = next(c.parsed for c in found.comparisons if c.measure.name == "f1")
    assert parsed is not None
    one, other = (of["brackets"].among(np.arange(120) >= 60) for of in (better, poor))
    assert parsed.value == pytest.approx(one.value("f1") - other.value("f1"))


def test_a_conclusion_that_holds_for_the_parsed_sentences_is_told_to_hold() -> None:
    found = family(study(gappy=gaps(both(0.5, 1), slice(0, 10)), full=both(0.9, 2)))
    said = [f.text for f in better_candidates(found)]
    assert all("The same holds for the sentences that both parsed (+" in text for text in said)
    assert len([c for c in found.comparisons if c.parsed is not None]) == 2  # the main measures
    assert found.tests == 4 + 2


def test_the_same_gaps_need_no_second_comparison() -> None:
    same = family(study(one=gaps(both(0.5, 1), slice(0, 10)), other=gaps(both(0.9, 2), slice(0, 10))))
    assert not any(c.parsed for c in same.comparisons)


def test_of_many_those_for_whom_the_conclusion_turns_are_named() -> None:
    gappy = gaps(both(0.95, 1), slice(0, 60))
    found = family(study(full=both(0.8, 2), gappy=gappy, poor=both(0.3, 3)))
    said = next(better_candidates(found)).text
    assert said.startswith("full has the best brackets F1 in bank (")
    assert said.endswith(
        "For the sentences that both parsed the conclusion turns: gappy is better than full."
    )


def test_measures_agree_only_where_two_of_them_find_a_difference() -> None:
    good, poor = brackets(0.9, 1), brackets(0.6, 2)
    one_measure = study(
        one={"brackets": good, "lineages": lineages(good)},
        other={"brackets": poor, "lineages": lineages(good)},
    )
    assert not list(agreement_on_candidates(family(one_measure)))


LESS = Measure("wrong", lambda sums: ratio(sums["wrong"], sums["rows"]), "wrong brackets", False, "less")


def fewer(wrong: float, seed: int) -> dict:
    """A candidate by its number of wrong brackets in a sentence, of which less is better."""
    counts = brackets(0.8, 1)
    columns = {"wrong": np.random.default_rng(seed).poisson(wrong, len(counts)).astype(float)}
    return {"wrong": replace(counts, measures=(LESS,), columns=columns)}


def test_where_less_is_better_the_candidate_with_less_is_better() -> None:
    said = [f.text for f in better_candidates(family(study(many=fewer(5, 1), few=fewer(1, 2))))]
    assert len(said) == 1
    assert re.match(
        r"few is better than many in bank under \w+ wrong \(−[34]\.\d\d, 95 % interval −", said[0]
    )


def test_of_many_where_less_is_better_the_least_is_the_best() -> None:
    three = {"most": fewer(6, 1), "least": fewer(1, 2), "middle": fewer(3, 3)}
    (said,) = (f.text for f in better_candidates(family(study(**three))))
    assert said == (
        "least has the best wrong wrong in bank (1.00) and differs significantly from each of the 2 other "
        "candidates."
    )
    ranked = ranks(study(**three).scored, family(study(**three)).comparisons, 0.05)["bank", "wrong", "wrong"]
    assert {name: tuple(rank) for name, rank in ranked.items()} == {
        "least": (1, "a"),
        "middle": (2, "b"),
        "most": (3, "c"),
    }


def test_where_less_is_better_the_conclusion_turns_for_the_parsed_sentences() -> None:
    """A parser that gives up has no wrong brackets there: fewer than others over all, more elsewhere."""
    gappy, full = gaps(fewer(3, 1), slice(0, 60)), fewer(2, 2)
    (said,) = (f.text for f in better_candidates(family(study(gappy=gappy, full=full))))
    assert said.startswith("gappy is better than full in bank under wrong wrong (")
    assert "For the sentences that both parsed the conclusion turns: full is better (" in said
    (said,) = (f.text for f in better_candidates(family(study(full=full, gappy=gappy, poor=fewer(6, 3)))))
    assert said.startswith("gappy has the best wrong wrong in bank (")
    assert said.endswith("the conclusion turns: full is better than gappy.")


def test_none_of_many_equal_candidates_is_called_the_best() -> None:
    equal = {f"c{number}": {"brackets": brackets(0.8, number)} for number in range(1, 8)}
    (said,) = (f.text for f in better_candidates(family(study(**equal))))
    assert re.match(
        r"In bank none of the 6 other candidates differs significantly from c\d, which comes first", said
    )


def test_what_no_test_could_find_is_not_printed() -> None:
    good, poor = both(0.95, 1, size=5), both(0.3, 2, size=5)
    assert not list(better_candidates(family(study(good=good, poor=poor))))
    enough = study(good=both(0.95, 1), poor=both(0.3, 2))
    assert list(better_candidates(family(replace(enough, trials=19))))
    assert not list(better_candidates(family(replace(enough, trials=18))))


def test_types_that_cost_as_much_are_named_together() -> None:
    found, errors = same_sentences()
    counts = lineages(brackets(0.8, size=300))
    counts = replace(counts, columns={"mean": np.full(300, 0.8)})
    candidate = CandidateResults("parser", {"lineages": counts})
    bank = replace(found.treebanks[0], candidates=[candidate])
    types = ["pp_attachment"] * 140 + ["np_attachment"] * 130 + ["span"] * 30
    made = [ParsingError(sentence, type_, (0,)) for sentence, type_ in enumerate(types)]
    alone = replace(found, treebanks=[bank])
    (said,) = costliest_errors(family_of(alone, [CandidateErrors.of(bank, candidate, made)], []))
    assert said.text == (
        "In flat errors of the types PP attachment and NP attachment cost most under lineages Avg. (46.67 % "
        "and 43.33 % of the candidates' loss) and do not differ significantly from PP attachment; the other "
        "type costs significantly less."
    )
    clear = [ParsingError(s, "pp_attachment" if s < 250 else "span", (0,)) for s in range(300)]
    (said,) = costliest_errors(family_of(alone, [CandidateErrors.of(bank, candidate, clear)], []))
    assert said.text.startswith(
        "In flat errors of the type PP attachment cost most under lineages Avg.: 83.33 % of the candidates' "
        "loss"
    )
    even = [ParsingError(s, "pp_attachment" if s % 2 else "span", (0,)) for s in range(300)]
    assert not list(costliest_errors(family_of(alone, [CandidateErrors.of(bank, candidate, even)], [])))
    assert errors
