"""Blocks of docs/start.md and docs/guides/ do what the pages say: see ``test_pages.py``."""

from collections.abc import Callable

import pytest

from tests.docs.blocks import GUIDES, Block, blocks_of


@pytest.mark.parametrize("block", blocks_of(*GUIDES), ids=str)
def test_the_guide_is_right(block: Block, run: Callable[[Block], None]) -> None:
    run(block)
