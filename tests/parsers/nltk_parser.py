"""A parser of another make for tests: NLTK's grammar induction and its Viterbi parser."""

import sys
import time
from pathlib import Path


def parse(model: str, sentences: str, output: str) -> None:
    """Write the best tree of each sentence, or a line that says that there is none.

    The model is the training set: NLTK's text has no way to write a symbol such as the full stop.
    """
    from nltk import Tree, ViterbiParser, induce_pcfg

    productions = []
    for line in Path(model).read_text(encoding="utf-8").splitlines():
        tree = Tree.fromstring(line)
        for tag in tree.subtrees(lambda t: isinstance(t[0], str)):
            tag[0] = tag.label()
        productions += tree.productions()
    parser = ViterbiParser(induce_pcfg(productions[0].lhs(), productions))
    actual = []
    for line in Path(sentences).read_text(encoding="utf-8").splitlines():
        try:
            best = next(iter(parser.parse(line.split())), None)
        except ValueError:
            best = None
        actual.append("(())" if best is None else Tree.convert(best).pformat(margin=10**6))
    Path(output).write_text("\n".join(actual) + "\n", encoding="utf-8")


if __name__ == "__main__":
    what, *paths = sys.argv[1:]
    if what == "train":
        Path(paths[1]).write_bytes(Path(paths[0]).read_bytes())
    elif what == "parse":
        parse(*paths)
    elif what == "short":
        Path(paths[-1]).write_text("(())\n", encoding="utf-8")
    elif what == "sleep":
        time.sleep(60)
