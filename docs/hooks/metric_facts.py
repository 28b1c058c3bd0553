"""What the classes of metrics say: measures, options, breakdowns and papers."""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cache
from inspect import getfile

from docstring_text import as_markdown, first_paragraph, generated_from
from markdown_tables import table
from papers import reference

from crossbank.metrics.counting.metric import METRICS, metric_class
from crossbank.metrics.counting.presentation import metric_title
from crossbank.metrics.counting.scoring import SHARED
from crossbank.workflow.commands import list as lists
from crossbank.workflow.commands.list import sections


def metric_page(name: str) -> str:
    """Return the page of one metric: its docstring, then its measures, options, breakdowns and papers."""
    text = sections(metric_class(name).__doc__)
    generated = generated_from(getfile(metric_class(name)))
    written = [f"## {title}\n\n{body}\n" for title, body in text.items() if title]
    begin = [f"# {metric_title(name)}\n", generated, f"{first_paragraph(text[''])}\n"]
    return "\n".join([*begin, *written, facts(name)])


def facts(name: str) -> str:
    """Return the measures, options, breakdowns and papers of one metric."""
    class_ = metric_class(name)
    measures = [
        [f"`{measure.name}`", measure.meaning, "higher" if measure.better == "more" else "lower"]
        for measure in class_.measures
    ]
    # One metric has an option of the same name as a shared one.
    names = set(SHARED) - {field.name for field in fields(class_)}
    own = {option: text for option, text in lists.options(name).items() if option not in names}
    parts = [part for part, metrics in breakdowns_of_metrics().items() if name in metrics]
    parts_of_page = [
        "## Measures\n",
        table(["measure", "meaning", "better"], measures),
        "## Options\n",
        _options(own) if own else "It has no options of its own.\n",
        "They are `--option KEY=VALUE` for commands, `options` in a study, keyword arguments in Python. "
        "[Further options](index.md#options-of-all-metrics) are the same for all metrics.\n",
        "## Breakdowns\n",
        f"`--by` takes {_listed(parts)}, and [what all metrics have](index.md#breakdowns).\n"
        if parts
        else "`--by` takes [what all metrics have](index.md#breakdowns).\n",
        "## Papers\n",
        "".join(f"- {reference(paper)}\n" for paper in class_.papers) or "It has none of its own.\n",
        f"The signature begins with `{name}`; it has the version of the metric too, {class_.version}. "
        f"Trees are compared in the [view](../study_keys.md#a-treebank) `{class_.view}` of the scheme.\n",
    ]
    return "\n".join(parts_of_page)


def metrics() -> str:
    """All metrics, each with a link to its page."""
    return table(
        ["metric", "title", "what it gives"],
        [
            [f"[`{name}`]({name}.md)", metric_title(name), text]
            for name, text in lists.LISTS["metrics"]().items()
            if name in METRICS
        ],
    )


def shared_options() -> str:
    """Return the options that all metrics have."""
    return _options({option: text for option, text in lists.options("parseval").items() if option in SHARED})


def breakdowns() -> str:
    """All breakdowns, each with the metrics that have it."""
    return table(
        ["breakdown", "of"],
        [[f"`{part}`", _linked(text.removeprefix("of "))] for part, text in lists.breakdowns().items()],
    )


def modes() -> str:
    """All modes, each with the program whose output it equals."""
    return table(["mode", "program"], [[f"`{name}`", program] for name, program in lists.modes().items()])


@cache
def breakdowns_of_metrics() -> dict[str, list[str]]:
    """Return the metrics that have each breakdown; none for those that all have."""
    return {part: _metrics_in(text) for part, text in lists.breakdowns().items()}


def _metrics_in(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text) if word in METRICS]


def _linked(text: str) -> str:
    """Text with the names of metrics in it as links."""
    return re.sub(
        r"\w+", lambda word: f"[`{word[0]}`]({word[0]}.md)" if word[0] in METRICS else word[0], text
    )


def _options(options: dict[str, str]) -> str:
    """Options as a table; what the list has in brackets at the end are the values and the default."""
    rows = []
    for option, text in options.items():
        meaning, _, values = text.rpartition(" (")
        rows.append([f"`{option}`", as_markdown(meaning), values.removesuffix(")")])
    return table(["option", "meaning", "values"], rows)


def _listed(names: list[str]) -> str:
    marked = [f"`{name}`" for name in names]
    return marked[0] if len(marked) == 1 else f"{', '.join(marked[:-1])} and {marked[-1]}"
