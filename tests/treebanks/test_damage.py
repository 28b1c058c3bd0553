"""Damaged sentences: nothing but these is lost, in each format and under each policy."""

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import crossbank
from crossbank.treebanks.damage import brackets, columns
from crossbank.treebanks.damage.correction import SKIPPED, STEP
from crossbank.treebanks.damage.reading import rules_of
from crossbank.treebanks.errors import CrossbankError, FormatError, OptionError
from crossbank.treebanks.formats import REGISTRY, read, read_chunks, write
from crossbank.treebanks.treebank import Treebank
from tests.errors import raises

FORMATS = {"bracket": "mrg", "discbracket": "dbr", "export": "export", "tigerxml": "xml"}
FORMATS |= {"conllu": "conllu", "conllx": "conllx"}

WORDS = ("Anna", "sees", "the", "old", "dog", "of", "Ben", "today")


def tree(number: int) -> str:
    """Return a tree over some words, which differs from those beside it."""
    length = 3 + number % 5
    leaves = [f"(T{number % 3} {word}{number})" for word in WORDS[:length]]
    return f"(S (NP {leaves[0]}) (VP {leaves[1]} (NP {' '.join(leaves[2:])})))"


def sentence(number: int) -> str:
    """Return lines of CoNLL-U with a chain of heads."""
    length = 3 + number % 5
    rows = [
        f"{i + 1}\t{WORDS[i]}{number}\t_\tNOUN\t_\t_\t{i}\t{'dep' if i else 'root'}\t_\t_"
        for i in range(length)
    ]
    return f"# sent_id = s{number}\n" + "\n".join(rows) + "\n"


def bank_of(tmp_path: Path, format: str, sentences: int) -> Treebank:
    """Return a treebank that the format can hold."""
    if format in ("conllu", "conllx"):
        path = tmp_path / "made.conllu"
        path.write_text("\n".join(map(sentence, range(sentences))) + "\n")
    else:
        path = tmp_path / "made.mrg"
        path.write_text("".join(f"{tree(number)}\n" for number in range(sentences)))
    return read(path)


def blocks_of(format: str, text: str) -> list[str]:
    """Return the text of each sentence, without what comes before and after all of them."""
    rules = rules_of(REGISTRY.load(format))
    assert rules is not None
    blocks = rules.split(text)
    return blocks[rules.frames[0] : len(blocks) - rules.frames[1]]


def break_sentence(format: str, block: str, chance: random.Random) -> str:
    """Return a sentence that its reader refuses."""
    if format in ("bracket", "discbracket"):
        closing = [i for i, character in enumerate(block) if character == ")"]
        at = chance.choice(closing)
        return chance.choice(
            (block[:at] + block[at + 1 :], f"{block[:at]}){block[at:]}", "I cannot parse it.\n")
        )
    if format in ("conllu", "conllx"):
        lines = block.rstrip("\n").split("\n")
        at = chance.randrange(len(lines) - 1, len(lines))
        cells = lines[at].split("\t")
        lines[at] = chance.choice(
            ("\t".join(cells[:5]), "\t".join([*cells[:6], "77", *cells[7:]]), "\t".join(["77", *cells[1:]]))
        )
        return "\n".join(lines) + "\n\n"
    if format == "export":
        return block.replace("\t500", "\t999") if "\t500" in block else block.replace("#EOS", "#EO")
    return block.replace("</graph>", chance.choice(("", "</grap>", "&")))


def skipped(bank: Treebank) -> list[int]:
    """Return the sentences that have no parse because of damage."""
    return [i for one in bank.diagnosis if one.event == SKIPPED for i in one.sentences().tolist()]


def same_sentence(left: Treebank, right: Treebank, sentence: int) -> bool:
    """Return whether a sentence has the same words, tags, constituents and heads in two treebanks."""
    one, other = left.select([sentence]), right.select([sentence])
    return (
        one.words(0) == other.words(0)
        and one.tokens.parent.tolist() == other.tokens.parent.tolist()
        and one.tokens.head.tolist() == other.tokens.head.tolist()
        and one.vocabulary.decode(one.nodes.label) == other.vocabulary.decode(other.nodes.label)
        and one.vocabulary.decode(one.tokens.pos) == other.vocabulary.decode(other.tokens.pos)
    )


@pytest.mark.parametrize("format", FORMATS)
def test_only_damaged_sentences_are_lost(tmp_path: Path, format: str) -> None:
    """Forty damaged sentences of four hundred leave 360 as they were; repaired ones have all their words."""
    path = tmp_path / f"whole.{FORMATS[format]}"
    write(bank_of(tmp_path, format, 400), path, format)
    whole, text = read(path, format), path.read_text()
    chance = random.Random(7)
    chosen = sorted(chance.sample(range(400), 40))
    blocks = blocks_of(format, text)
    assert len(blocks) == 400
    begin = text.index(blocks[0])
    end = begin + sum(map(len, blocks))
    for index in chosen:
        blocks[index] = break_sentence(format, blocks[index], chance)
    path.write_text(text[:begin] + "".join(blocks) + text[end:])
    with pytest.raises(CrossbankError):
        read(path, format)
    for policy in ("skip", "repair"):
        bank = read(path, format, damaged=policy)
        assert len(bank) == 400
        assert all(same_sentence(whole, bank, i) for i in range(400) if i not in chosen)
        lost = skipped(bank)
        assert set(lost) <= set(chosen)
        assert not bank.tokens.lengths()[lost].any()
        assert bank.tokens.lengths()[[i for i in range(400) if i not in lost]].all()
        if policy == "skip":
            assert lost == chosen
    counted = {one.event for one in bank.diagnosis if one.step == STEP}
    assert counted


def test_lines_are_those_of_the_file(tmp_path: Path) -> None:
    """Sentences after a damaged one of several lines are reported at the lines where they are."""
    path = tmp_path / "a.mrg"
    path.write_text("(S\n  (A a)\n  (B b)\n(S\n  (A c))\n```\n(S\n  (A d))\n(S\n  (A e))\n")
    bank = read(path, damaged="skip")
    assert bank.sentences.line.tolist() == [1, 4, 7, 9]
    assert [bank.words(i) for i in range(4)] == [[], ["c"], ["d"], ["e"]]


def test_a_sentence_is_repaired_where_its_constituents_allow(tmp_path: Path) -> None:
    """Indentation, tags and the last word tell which brackets are missing and surplus."""
    for damaged, expected in (
        ("(S\n  (NP\n    (N a)\n  (VP (V b)))", "(S (NP (N a)) (VP (V b)))"),
        ("(S (NP (D the) (N dog) (VP (V runs", "(S (NP (D the) (N dog) (VP (V runs))))"),
        ("(S (NP (D the (N dog)) (VP (V runs)))", "(S (NP (D the) (N dog)) (VP (V runs)))"),
        ("(S (NP (N a))) (VP (V b)))", "(S (NP (N a)) (VP (V b)))"),
        ("(S (N a)))))", "(S (N a))"),
        ("the tree: (S (N a)) .", "(S (N a))"),
    ):
        text = brackets.repair(damaged).text
        assert crossbank.treebanks.formats.bracket.loads(text).words(0)
        assert " ".join(text.split()) == expected


def test_a_tree_that_lacks_a_bracket_does_not_swallow_the_next(tmp_path: Path) -> None:
    """One tree lacks a bracket and the next has one too many: a balanced file, of which both are damaged."""
    path = tmp_path / "a.mrg"
    path.write_text("(S (A a) (B b)\n(S (A c) (B d)))\n(S (A e))\n(S (A f))\n(S (A g))\n(S (A h))\n")
    assert len(read(path)) == 5
    assert skipped(read(path, damaged="skip")) == [0, 1]
    repaired = read(path, damaged="repair")
    assert [repaired.words(i) for i in range(3)] == [["a", "b"], ["c", "d"], ["e"]]


def test_columns_are_repaired() -> None:
    """Spaces become tabs, missing columns empty; wrong heads and cycles are attached to the root."""
    block = (
        "# text = a b c\n1  a  a  X  _  _  9  dep  _  _\n\n2\tb\tb\tX\t_\t_\t0\troot\n"
        "3\tc\tc\tX\t_\t_\t4\tdep\t_\t_\n5\td\td\tX\t_\t_\t3\tdep\t_\t_\n"
    )
    text, kinds = columns.repair(block, plain=False)
    bank = REGISTRY.load("conllu").loads(text)
    assert bank.words(0) == ["a", "b", "c", "d"]
    assert bank.tokens.head.tolist() == [1, -1, 1, 2]
    assert kinds == Counter(
        {
            columns.SPACES: 1,
            columns.MISSING: 2,
            columns.RENUMBERED: 1,
            columns.HEADS: 2,
            columns.BLANK: 1,
        }
    )
    cycle = "1\ta\t_\tX\t_\t_\t2\tdep\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\n"
    text, kinds = columns.repair(cycle, plain=False)
    assert REGISTRY.load("conllu").loads(text).tokens.head.tolist() == [-1, 0]
    assert kinds[columns.CYCLES] == 1


def test_sentences_in_columns_begin_with_the_number_1() -> None:
    """A missing blank line does not join sentences, and a superfluous one does not split them."""
    rows = [f"{i}\tw{i}\t_\tX\t_\t_\t{i - 1}\tdep\t_\t_\n" for i in (1, 2, 3)]
    assert columns.split("".join([*rows, "# x\n", *rows])) == ["".join(rows), "# x\n" + "".join(rows)]
    assert columns.split("".join([rows[0], "\n", *rows[1:], "\n", rows[0]])) == [
        "".join([rows[0], "\n", *rows[1:], "\n"]),
        rows[0],
    ]


def test_scores_say_what_was_damaged(tmp_path: Path) -> None:
    """A candidate is scored without its damaged sentences, gold is refused with the option's name."""
    gold, candidate = tmp_path / "gold.mrg", tmp_path / "candidate.mrg"
    lines = [tree(number) for number in range(400)]
    gold.write_text("".join(f"{line}\n" for line in lines))
    chosen = random.Random(3).sample(range(400), 40)
    lines[min(set(range(400)) - {*chosen})] = tree(0).replace("VP", "VX")
    damaged = [line[:-1] if number in chosen else line for number, line in enumerate(lines)]
    candidate.write_text("".join(f"{line}\n" for line in damaged))
    with pytest.warns(crossbank.CrossbankWarning, match="40 have no parse"):
        result = crossbank.score(str(gold), str(candidate))
    assert result["precision"] > 0.999
    assert np.count_nonzero(result.counts.status) == 40
    with pytest.warns(crossbank.CrossbankWarning, match="40 closing brackets added"):
        assert crossbank.score(str(gold), str(candidate), damaged="repair")["f1"] > 0.999
    with raises(
        FormatError,
        line=7,
        sentence="7",
        actual="a tree that is still open on line 8, where another seems to begin",
    ):
        crossbank.score(str(candidate), str(gold))
    with raises(
        FormatError,
        line=7,
        sentence="7",
        actual="a tree that is still open on line 8, where another seems to begin",
    ):
        crossbank.score(str(gold), str(candidate), damaged="stop")


def test_undamaged_files_are_read_as_before(tmp_path: Path) -> None:
    """A policy changes nothing where nothing is damaged."""
    for format, suffix in FORMATS.items():
        path = tmp_path / f"a.{suffix}"
        write(bank_of(tmp_path, format, 20), path, format)
        banks = [read(path, format, damaged=policy) for policy in ("stop", "skip", "repair")]
        assert all(bank.diagnosis == banks[0].diagnosis or not bank.diagnosis for bank in banks)
        assert all(same_sentence(banks[0], bank, i) for bank in banks for i in range(20))


@pytest.mark.parametrize("format", [name for name in FORMATS if name != "tigerxml"])
@pytest.mark.parametrize("policy", ["skip", "repair"])
def test_chunks_of_a_damaged_file_are_the_file(tmp_path: Path, format: str, policy: str) -> None:
    """Damage at the beginning and end of chunks is that of the whole file, with the same lines."""
    path = tmp_path / f"a.{FORMATS[format]}"
    write(bank_of(tmp_path, format, 120), path, format)
    text, chance = path.read_text(), random.Random(5)
    blocks = blocks_of(format, text)
    begin = text.index(blocks[0])
    for index in (0, 7, 8, 9, *chance.sample(range(10, 120), 15)):
        blocks[index] = break_sentence(format, blocks[index], chance)
    path.write_text(text[:begin] + "".join(blocks))
    whole = read(path, format, damaged=policy)
    assert len(whole) == 120
    for size in (300, 900, 2500):
        banks = list(read_chunks(path, format, size=size, damaged=policy))
        joined = Treebank.concatenate(banks)
        assert len(banks) > 2
        assert joined.equals(whole, ignore={"diagnosis"})
        assert events_of(joined) == events_of(whole)


def events_of(bank: Treebank) -> dict[tuple[str, str], list[int]]:
    """Return how often each event of the diagnosis occurs in each sentence."""
    return {(one.step, one.event): one.counts.tolist() for one in bank.diagnosis}


def test_what_is_no_treebank_is_refused(tmp_path: Path) -> None:
    """A file without a sentence that can be read, an unknown policy, a format without rules."""
    path = tmp_path / "a.mrg"
    path.write_text("I cannot parse these sentences.\nSorry.\n")
    for policy in ("skip", "repair"):
        with pytest.raises(FormatError):
            read(path, "bracket", damaged=policy)
    with raises(OptionError, kind="damaged", value="mend"):
        read(path, damaged="mend")
    path.write_text("")
    with pytest.raises(CrossbankError):
        read(path, "bracket", damaged="skip")


def test_bytes_that_are_no_text_damage_one_sentence(tmp_path: Path) -> None:
    """A byte that is not UTF-8 and a NUL are damage of the sentence in which they are."""
    path = tmp_path / "a.mrg"
    path.write_bytes(b"(S (A a))\n(S (A \xff))\n(S (A c))\n(S (A d\0))\n(S (A e))\n")
    assert skipped(read(path, damaged="skip")) == [1, 3]
    repaired = read(path, damaged="repair")
    assert [repaired.words(i) for i in range(5)] == [["a"], ["\ufffd"], ["c"], ["d\ufffd"], ["e"]]


TEXTS = {
    "bracket": "".join(f"{tree(number)}\n" for number in range(6)),
    "conllu": "\n".join(map(sentence, range(6))) + "\n",
}


@pytest.mark.parametrize("format", TEXTS)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_mutant_of_one_sentence_leaves_the_others(
    tmp_path_factory: pytest.TempPathFactory, format: str, data: st.DataObject
) -> None:
    """A character that is dropped or put into one line never changes the sentences before it."""
    text = TEXTS[format]
    at = data.draw(st.integers(0, len(text) - 1))
    insertion = data.draw(st.sampled_from(["", "(", ")", "\t", " ", "7", "#", "\0", "x", "\u05d0"]))
    mutant = text[:at] + insertion + text[at + 1 :]
    path = tmp_path_factory.mktemp("mutants") / f"a.{FORMATS[format]}"
    path.write_text(mutant)
    whole = REGISTRY.load(format).loads(text)
    before = blocks_of(format, text)
    number = next(i for i in range(6) if sum(map(len, before[: i + 1])) > at)
    for policy in ("skip", "repair"):
        bank = read(path, format, damaged=policy)
        assert all(same_sentence(whole, bank, i) for i in range(number))


@pytest.mark.parametrize("format", FORMATS)
def test_mutants_raise_no_other_error(tmp_path: Path, format: str) -> None:
    """A file with a few wrong characters is read, or refused with a message."""
    path = tmp_path / f"a.{FORMATS[format]}"
    write(bank_of(tmp_path, format, 8), path, format)
    text, chance = path.read_text(), random.Random(11)
    sentences = "".join(blocks_of(format, text))
    begin = text.index(sentences)
    lost = 0
    for _ in range(60):
        at = begin + chance.randrange(len(sentences))
        path.write_text(text[:at] + chance.choice("()\t <#&7\0\u05d0") + text[at + chance.randrange(2) :])
        for policy in ("skip", "repair"):
            try:
                lost += abs(len(read(path, format, damaged=policy)) - 8)
            except CrossbankError:
                lost += 1
    assert lost < 12


def test_the_beginning_of_a_sentence_may_be_damaged(tmp_path: Path) -> None:
    """A sentence without its mark in the export format and in TIGER-XML does not belong to the one before."""
    for format, mark, damaged in (("export", "#BOS 3", "#BO 3"), ("tigerxml", '<s id="s3"', '<z id="s3"')):
        path = tmp_path / f"a.{FORMATS[format]}"
        write(bank_of(tmp_path, format, 5), path, format)
        text = path.read_text()
        assert mark in text
        path.write_text(text.replace(mark, damaged))
        assert skipped(read(path, format, damaged="skip")) == [2]


def test_comments_of_discontinuous_brackets_are_no_damage(tmp_path: Path) -> None:
    """The comment after a tab stays with its tree."""
    path = tmp_path / "a.dbr"
    path.write_text("(S (A 0=a) (B 1=b))\tone\n(S (A 0=a) (B 1=b)\ttwo\n(S (A 0=a))\tthree\n")
    assert skipped(read(path, damaged="skip")) == [1]
    bank = read(path, damaged="repair")
    assert bank.vocabulary.decode(bank.sentences.comments) == ["one", "two", "three"]


def test_a_mark_without_a_number_in_the_export_format(tmp_path: Path) -> None:
    path = tmp_path / "marks.export"
    words = "Ben\tNE\t--\tSB\t500\nweint\tVVFIN\t--\tHD\t500\n#500\tS\t--\t--\t0\n"
    path.write_text(f"#FORMAT 3\n#BOS 1\n{words}#EOS 1\n#BOS  \n{words}#EOS 2\n#BOS 3\n{words}#EOS 3\n")
    with pytest.raises(FormatError) as raised:
        read(path)
    assert raised.value.line == 7
    skipped, repaired = read(path, damaged="skip"), read(path, damaged="repair")
    assert [skipped.words(index) for index in range(3)] == [["Ben", "weint"], [], ["Ben", "weint"]]
    assert [repaired.words(index) for index in range(3)] == [["Ben", "weint"]] * 3
    assert [finding.counts.tolist() for finding in repaired.diagnosis] == [[0, 1, 0]]
