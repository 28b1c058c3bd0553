"""The mode ``conll18``: the official scores of the CoNLL 2018 shared task, with its table.

Zeman et al. (2018): CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal
Dependencies, section 5; the numbers are those of ``conll18_ud_eval.py`` 1.2 (Straka and Popel), which
aligns the words of two files that need only have the same text. What ends the official program ends
this mode: no tree, other text, a line that is no CoNLL-U. The metric of the same name goes on with the next
sentence there.
"""

from crossbank.metrics.rivals.conll18.evaluation import Evaluation, evaluate

__all__ = ["Evaluation", "evaluate"]
