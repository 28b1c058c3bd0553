"""Pages that are run: each in a folder of its own."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.blocks import Block
from tests.docs.running import Page


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Block], None]:
    """Run a block after those above it on its page."""
    pages: dict[Path, Page] = {}

    def run(block: Block) -> None:
        if block.page not in pages:
            pages[block.page] = Page(block.page, tmp_path_factory.mktemp(block.page.stem))
        pages[block.page].run(block)

    return run
