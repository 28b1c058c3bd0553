"""Test of pages finds what is wrong on a page."""

import re
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, all_blocks, blocks_of, differs
from tests.docs.fill import TIME, fill_times
from tests.docs.running import Page, WrongBlockError

PAGE = """\
# A page

<!-- file: one.txt -->
```text
one
two
```

```console
$ cat one.txt
one
...
$ cat \\
    one.txt > two.txt
$ false
$ echo $?
1
```

- A list:

  <!-- not run: it is for another day -->
  ```bash
  cat three.txt
  ```

```python
>>> 1 + 1
2
```
"""


def test_times_are_written_below_blocks_of_python_once(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE + "\nThe end.\n", encoding="utf-8")
    fill_times(page)
    fill_times(page)
    before, block, after = page.read_text(encoding="utf-8").partition("```python\n>>> 1 + 1\n2\n```\n\n")
    assert re.fullmatch(r"\*\d\.\d ms of processor time\*\n\nThe end\.\n", after)
    assert before + block[:-1] == PAGE


def test_every_block_of_the_engineers_page_has_its_time() -> None:
    page = ROOT / "docs" / "python.md"
    run = [one for one in blocks_of(page) if one.language == "python" and "not run" not in one.notes]
    assert len(TIME.findall(page.read_text(encoding="utf-8"))) == len(run) > 5


def page_of(folder: Path, text: str) -> Page:
    path = folder / "page.md"
    path.write_text(text, encoding="utf-8")
    return Page(path, folder)


def test_blocks_commands_and_notes_are_read(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(PAGE, encoding="utf-8")
    text, console, bash, python = all_blocks(tmp_path / "page.md")
    assert (text.notes, console.notes, text.is_run) == ({"file": "one.txt"}, {}, True)
    assert [command.text for command in console.commands()] == [
        "cat one.txt",
        "cat \\\n    one.txt > two.txt",
        "false",
        "echo $?",
    ]
    assert console.commands()[0].output == ("one", "...")
    assert (bash.notes, bash.text) == ({"not run": "it is for another day"}, "cat three.txt\n")
    assert (python.language, python.line) == ("python", 27)


def test_a_page_that_is_right_passes_and_tells_what_it_skips(tmp_path: Path) -> None:
    page = page_of(tmp_path, PAGE)
    skipped = []
    for block in page.blocks:
        try:
            page.run(block)
        except pytest.skip.Exception as skip:
            skipped.append(str(skip))
    assert len(skipped) == 1
    assert skipped[0].endswith("it is for another day")
    assert (page.folder / "two.txt").read_text() == "one\ntwo\n"


def test_the_last_block_alone_runs_after_those_above_it(tmp_path: Path) -> None:
    page = page_of(tmp_path, "```python\nx = 1\n```\n\n```python\nassert x == 1\n```\n")
    page.run(page.blocks[-1])


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("```console\n$ echo one\ntwo\n```\n", "the page shows\ntwo\nfound\none"),
        ("```console\n$ echo one\none\ntwo\n```\n", "the page shows\none\ntwo\nfound\none"),
        ("```bash\nfalse\n```\n", "exit code 1"),
        ("```bash\ncrossbank info missing.mrg\n```\n", "exit code 2\nmissing.mrg: "),
        ("```console\n$ crossbank list modes\nevalb\n```\n", "the page shows\nevalb\nfound\nevalb "),
        ("```python\n>>> 1 + 1\n3\n```\n", "Expected:\n    3\nGot:\n    2"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, block: str, message: str) -> None:
    page = page_of(tmp_path, block)
    with pytest.raises(WrongBlockError) as error:
        page.run(page.blocks[0])
    assert message in str(error.value)


def test_real_treebanks_that_are_not_there_are_named(tmp_path: Path) -> None:
    page = page_of(tmp_path, "<!-- needs: no-such-treebank -->\n```bash\ntrue\n```\n")
    with pytest.raises(pytest.skip.Exception, match=r"\.\./shared/data/no-such-treebank is not here"):
        page.run(page.blocks[0])


@pytest.mark.parametrize(
    ("displayed", "actual", "different"),
    [
        (("a", "...", "z"), "a\nb\nc\nz\n", False),
        (("a", "...", "z"), "a\nz\n", False),
        (("a", "..."), "a\n", False),
        (("...", "z"), "a\nz\nmore\n", True),
        (("took ... s",), "took 12.3 s\n", False),
        (("took ... s",), "took\n12.3 s\n", True),
        (("a.c",), "abc\n", True),
        (("a",), "a  \n\n", False),
    ],
)
def test_an_ellipsis_stands_for_lines_or_text(
    displayed: tuple[str, ...], actual: str, different: bool
) -> None:
    assert differs(displayed, actual) is different


def test_a_figure_is_the_one_that_the_page_has_drawn(tmp_path: Path) -> None:
    drawing = "<style></style><text>7</text>"
    text = f"```bash\necho '{drawing}' > a.svg\n```\n\n<!-- figure: a.svg -->\n![A line](a.svg)\n"
    page = page_of(tmp_path, text)
    drawn = page.blocks[-1]
    assert (drawn.line, drawn.text, drawn.notes) == (5, "a.svg", {"figure": "a.svg"})
    with pytest.raises(WrongBlockError, match=r"a\.svg is another figure: python -m tests\.docs\.fill"):
        page.run(drawn)
    (tmp_path / "a.svg").write_text(drawing.replace("7", "8"), encoding="utf-8")
    with pytest.raises(WrongBlockError):
        page.run(drawn)
    # Where a text stands, and in which font, is another matter.
    (tmp_path / "a.svg").write_text(drawing.replace("<style>", "<style>x"), encoding="utf-8")
    page.run(drawn)
