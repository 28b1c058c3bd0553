"""Blocks of the guide do what its pages say: see ``test_pages.py``."""

from pathlib import Path

import pytest

from tests.docs.blocks import GUIDES
from tests.docs.running import marked, run


@pytest.mark.parametrize("page", [marked(page) for page in GUIDES])
def test_the_guide_is_right(page: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    run(page, tmp_path, subtests)
