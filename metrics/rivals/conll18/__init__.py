"""Mode ``conll18``: the official scores of the CoNLL 2018 shared task, with its table.

Zeman et al. (2018): CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies,
section 5. The numbers are those of ``conll18_ud_eval.py`` 1.2 (Straka and Popel). That program aligns the
words of two files; only their text must be the same. A sentence that is no tree, another text or a line that
is no CoNLL-U ends the program, and so it ends this mode. The metric of the same name counts such a sentence
as unscored and goes on.
"""

from crossbank.metrics.rivals.conll18.evaluation import Evaluation, evaluate

__all__ = ["Evaluation", "evaluate"]
