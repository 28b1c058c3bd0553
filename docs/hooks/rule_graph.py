"""Draw the rules of a study as a picture: ``docs/images/rules.svg``.

    python docs/hooks/rule_graph.py

What Snakemake's ``--rulegraph`` prints of a study with metrics of every kind is drawn from left to right:
each rule in the column after the last of those that it needs.
"""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs/images/rules.svg"
STUDY = "config/tiger_vs_tuba.yaml"
METRICS = ("parseval", "parseval1991", "conformance", "lexicalised_brackets", "dependencies", "relations")

NODE = re.compile(r'^\s*(\d+)\[label = "(\w+)"', re.M)
EDGE = re.compile(r"^\s*(\d+) -> (\d+)$", re.M)

LEFT_OUT = ("all", "study")
"""Rules that are no step: the target, and the file with the study as it is run."""

BOX_HEIGHT, ROW, COLUMN, MARGIN = 30, 52, 166, 12
LETTER = 7.4
"""The width of a letter of 13 pixels."""


def graph() -> list[tuple[str, str]]:
    """Return the edges between the rules of the study, each from a rule to one that needs it."""
    command = [sys.executable, "-m", "snakemake", "--rulegraph", "--configfile", STUDY]
    command += ["--config", f"metrics=[{','.join(METRICS)}]"]
    dot = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = dict(NODE.findall(dot))
    edges = ((names[one], names[other]) for one, other in EDGE.findall(dot))
    return sorted(edge for edge in edges if not {*edge} & {*LEFT_OUT})


def reduced(edges: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the edges without those that a longer way says as well."""

    @cache
    def reaches(one: str, other: str) -> bool:
        return any(b == other or reaches(b, other) for a, b in edges if a == one)

    return [
        (one, other)
        for one, other in edges
        if not any(reaches(between, other) for a, between in edges if a == one and between != other)
    ]


def drawn(edges: list[tuple[str, str]]) -> str:
    """Return the picture of a graph without circles."""
    rules = sorted({rule for edge in edges for rule in edge})

    @cache
    def column(rule: str) -> int:
        return max((column(one) + 1 for one, other in edges if other == rule), default=0)

    columns: dict[int, list[str]] = {}
    for rule in rules:
        columns.setdefault(column(rule), []).append(rule)
    tallest = max(map(len, columns.values()))
    corners = {
        rule: (MARGIN + number * COLUMN, MARGIN + round(ROW * (row + (tallest - len(of)) / 2)))
        for number, of in columns.items()
        for row, rule in enumerate(of)
    }
    widths = {rule: round(LETTER * len(rule)) + 20 for rule in rules}
    width = max(corners[rule][0] + widths[rule] for rule in rules) + MARGIN
    height = tallest * ROW - (ROW - BOX_HEIGHT) + 2 * MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="13" role="img">',
        f"<title>The rules of a study: {', '.join(rules)}</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    for one, other in reduced(edges):
        (left, top), (right, bottom) = corners[one], corners[other]
        start, end = left + widths[one], right
        middle = (start + end) // 2
        first, last = top + BOX_HEIGHT // 2, bottom + BOX_HEIGHT // 2
        path = f"M{start},{first} C{middle},{first} {middle},{last} {end},{last}"
        lines.append(f'<path d="{path}" fill="none" stroke="#7a8794" stroke-width="1.5"/>')
    for rule in rules:
        left, top = corners[rule]
        lines.append(
            f'<rect x="{left}" y="{top}" width="{widths[rule]}" height="{BOX_HEIGHT}" rx="6" '
            'fill="#e8f0f7" stroke="#2b5c8a"/>'
        )
        centre = left + widths[rule] / 2
        lines.append(f'<text x="{centre:g}" y="{top + 20}" text-anchor="middle" fill="#12283c">{rule}</text>')
    return "\n".join([*lines, "</svg>", ""])


def main() -> None:
    """Write the picture of a study's rules."""
    PICTURE.write_text(drawn(graph()), encoding="utf-8")


if __name__ == "__main__":
    main()
