"""Mode ``cgel``: agreement between two annotators of trees of the Cambridge Grammar.

The report is that of ``eval.py`` of github.com/nert-nlp/cgel of 2023, byte for byte. It is beside the
data of Reynolds, Arora and Schneider (2023), Unified Syntactic Annotation of English in the CGEL Framework.
LAW. A tree distance aligns constituents, words and gaps. A wrong category, function, word or antecedent
costs a quarter of an edit each; under ``strict`` any of them costs an edit.

The program's peculiarities are kept. Its precision subtracts what is deleted from gold, its recall what is
inserted, each from the total of the other side; F is the mean of the two. Of several cheapest edits it takes
those with the fewest insertions, then those whose aligned pairs come first in the order of numbers. So the
breakdown depends on which file is gold.

Three things differ: files need not be in the program's layout, deep trees do not end it, and its progress
bar on stderr is left out. Where it ends with a traceback (an index with two antecedents, aligned gaps
without an antecedent, numbers of trees that differ), one line says so.
"""

from crossbank.metrics.rivals.cgel.evaluation import Evaluation, evaluate

__all__ = ["Evaluation", "evaluate"]
