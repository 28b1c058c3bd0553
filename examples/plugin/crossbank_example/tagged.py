"""Lines of ``word/TAG``, a sentence in each."""

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.files import lines
from crossbank.treebanks.formats.format import Format

FORMAT = Format(suffixes=(".tagged",), written=False)


def load(path, *, encoding=None):
    """Read lines of ``word/TAG``."""
    builder = TreebankBuilder(source=str(path))
    for number, line in lines(path, encoding):
        builder.sentence(line=number)
        for token in line.split():
            form, _, tag = token.rpartition("/")
            builder.token(form=form, pos=tag)
    return builder.build()
