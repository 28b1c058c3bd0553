"""A study over models: curves over shots, seeds pooled, samples of each sentence, compliance."""

import json
from pathlib import Path

import pytest

from crossbank.workflow.commands.cli import main

GOLD = [
    "(S (NP (NNP Ann)) (VP (VBD saw) (NP (DT a) (NN cat)) (PP (IN in) (NP (NN town)))) (. .))",
    "(S (NP (DT The) (NN dog)) (VP (VBD ate) (NP (NNS fish)) (ADVP (RB fast))) (. .))",
] * 4


def answer(tree: str, seed: int, number: int) -> str:
    """Return the tree, with another label, without its last brackets, or no tree."""
    kinds = [tree, tree, tree.replace("(VP", "(XP", 1), tree[:-2], "I cannot parse this sentence."]
    return kinds[(seed + number) % len(kinds)]


@pytest.mark.slow
def test_a_study_over_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("answers").mkdir()
    Path("gold.mrg").write_text("\n".join(GOLD) + "\n")
    for shots in (0, 5):
        for seed in (1, 2, 3):
            lines = [
                {
                    "custom_id": f"sentence-{number}_sample-{sample}",
                    "answer": answer(tree, seed, number * sample),
                }
                for number, tree in enumerate(GOLD, 1)
                for sample in (1, 2)
            ]
            path = Path(f"answers/alpha-{shots}-{seed}.jsonl")
            path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    Path("study.yaml").write_text(
        "study: models\n"
        "treebanks: [{name: test, scheme: ptb, gold: {path: gold.mrg}}]\n"
        'candidates: {path: "answers/{model}-{shots}-{seed}.jsonl", damaged: repair}\n'
        "metrics: [parseval, compliance]\n"
    )
    assert not main(["study", "study.yaml"])
    page = Path("results/models/report/index.html").read_text("utf-8")
    assert all(f">{title}<" in page for title in ("Learning curves", "Compliance", "By label and relation"))
