"""Every command and every line of Python on the pages does what the page says.

The pages are README.md, CONTRIBUTING.md, config/README.md and those in docs/; the guides are in
``test_guides.py``. ``blocks.py`` has the notes by which a page says what is not run, and why: pytest
prints these as skipped tests. A page whose output has changed is written anew by ``python -m
tests.docs.fill PAGE``.
"""

from collections.abc import Callable

import pytest

from tests.docs.blocks import PAGES, Block, blocks_of


@pytest.mark.parametrize("block", blocks_of(*PAGES), ids=str)
def test_the_page_is_right(block: Block, run: Callable[[Block], None]) -> None:
    run(block)
