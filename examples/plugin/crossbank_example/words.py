"""``crossbank words``: the number of words of files."""

import click

from crossbank.workflow.commands.command import command


@command("words", ["crossbank words corpus.mrg"], help="count the words of files")
@click.argument("files", nargs=-1, required=True)
def run(files):
    """Print the number of words."""
    from crossbank.treebanks.formats import read_all

    print(len(read_all(files).tokens))
