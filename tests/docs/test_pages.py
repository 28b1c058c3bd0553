"""Every command and every line of Python on the pages does what the page says.

The pages are README.md, CONTRIBUTING.md, config/README.md and those in docs/, formalisms/, parsers/ and
language_models/; the pages of the guide are in ``test_guides.py``. ``blocks.py`` has the notes by which a
page says what is not run: pytest prints the reasons. A page whose output has changed is written anew by
``python -m tests.docs.fill PAGE``.
"""

from pathlib import Path

import pytest

from tests.docs.blocks import PAGES, blocks_of
from tests.docs.running import marked, run


@pytest.mark.parametrize("page", [marked(page) for page in PAGES if blocks_of(page)])
def test_the_page_is_right(page: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    run(page, tmp_path, subtests)
