"""spaCy's parser of dependencies as the command of a study: trained from scratch, without pretrained vectors.

    python docs/spacy_parser.py train TRAINING.conllu MODEL [--epochs N]
    python docs/spacy_parser.py parse MODEL SENTENCES.conllu PARSES.conllu
    python docs/spacy_parser.py version

A study names it like any other parser: config/spacy.yaml. It needs spaCy, which Crossbank does not: ``make
parsers`` installs it into an environment of its own, .venv-parsers.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

import spacy
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import fix_random_seed, minibatch

Rows = list[list[str]]
"""The lines of a sentence's words, ten columns each."""

SEED = 1
BATCH = 64
ID, FORM, HEAD, RELATION = 0, 1, 6, 7


def sentences(path: Path) -> Iterator[tuple[list[str], Rows]]:
    """Yield the comments and the words of each sentence; ranges of words and empty nodes are left out."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = block.splitlines()
        comments = [line for line in lines if line.startswith("#")]
        rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
        if rows or comments:
            yield comments, [row for row in rows if row[ID].isdecimal()]


def document(nlp: spacy.Language, rows: Rows) -> Doc:
    """A sentence without an analysis, which the parser does not cut in two."""
    starts = [place == 0 for place in range(len(rows))]
    return Doc(nlp.vocab, words=[row[FORM] for row in rows], sent_starts=starts)


def example(nlp: spacy.Language, rows: Rows) -> Example:
    """A sentence with its gold heads and relations; spaCy's root is its own head."""
    heads = [int(row[HEAD]) - 1 if row[HEAD] != "0" else place for place, row in enumerate(rows)]
    relations = ["ROOT" if row[HEAD] == "0" else row[RELATION] for row in rows]
    return Example.from_dict(document(nlp, rows), {"heads": heads, "deps": relations})


def train(training: Path, model: Path, epochs: int) -> None:
    """Train a parser and write it to a folder."""
    fix_random_seed(SEED)
    nlp = spacy.blank("xx")
    nlp.add_pipe("parser")
    examples = [example(nlp, rows) for _, rows in sentences(training) if rows]
    optimizer = nlp.initialize(lambda: examples)
    order = random.Random(SEED)
    for epoch in range(epochs):
        order.shuffle(examples)
        losses: dict[str, float] = {}
        for batch in minibatch(examples, BATCH):
            nlp.update(batch, sgd=optimizer, drop=0.1, losses=losses)
        print(f"epoch {epoch + 1}: loss {losses.get('parser', 0.0):.1f}", flush=True)
    nlp.to_disk(model)


def parse(model: Path, source: Path, output: Path) -> None:
    """Write the sentences with heads and relations; of several roots the first is the root of the others."""
    nlp = spacy.load(model)
    rows_of_sentences = list(sentences(source))
    docs = nlp.pipe(document(nlp, rows) for _, rows in rows_of_sentences)
    with open(output, "w", encoding="utf-8", newline="\n") as stream:
        for (comments, rows), doc in zip(rows_of_sentences, docs, strict=True):
            root = next((token.i for token in doc if token.head.i == token.i), 0)
            for token, row in zip(doc, rows, strict=True):
                if token.i == root:
                    row[HEAD], row[RELATION] = "0", "root"
                elif token.head.i == token.i:
                    row[HEAD], row[RELATION] = str(root + 1), "dep"
                else:
                    row[HEAD], row[RELATION] = str(token.head.i + 1), token.dep_
            lines = [*comments, *("\t".join(row) for row in rows)]
            stream.write("\n".join(lines) + "\n\n")


def main() -> None:
    """Train or parse as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("train", "parse", "version"))
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--epochs", type=int, default=10)
    given = parser.parse_args()
    if given.what == "train":
        train(*given.paths, epochs=given.epochs)
    elif given.what == "parse":
        parse(*given.paths)
    else:
        print(f"spaCy {spacy.__version__}")


if __name__ == "__main__":
    main()
