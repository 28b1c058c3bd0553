# Candidates that the study trains itself: one job a candidate, with all its folds.

TRAINING = Demand(
    lambda wildcards: [PLAN.megabytes(wildcards.treebank, wildcards.candidate)], CORES, 2000, 50, 60, 10
)


rule train_and_parse:
    input:
        lambda wildcards: STUDY.treebank(wildcards.treebank).gold.paths,
    output:
        f"{PLAN.results}/parsed/{{treebank}}/{{candidate}}.parquet",
        f"{PLAN.results}/parsed/{{treebank}}/{{candidate}}.json",
    log:
        f"{PLAN.results}/logs/parse/{{treebank}}/{{candidate}}.log",
    wildcard_constraints:
        candidate=PLAN.made_by("parser"),
    threads: CORES
    resources:
        mem_mb=TRAINING.memory,
        runtime=TRAINING.minutes,
    params:
        python=PYTHON,
        settings=lambda wildcards: PLAN.making_all(wildcards.treebank, wildcards.candidate).argument,
        digest=lambda wildcards: PLAN.making_all(wildcards.treebank, wildcards.candidate).digest,
        as_of=lambda wildcards: PLAN.as_of([STUDY.treebank(wildcards.treebank).gold]),
    shell:
        "{params.python:q} -P -m crossbank.parsers.study.parse"
        " --inputs {input:q}"
        " --outputs {output:q}"
        " --settings {params.settings:q}"
        " --threads {threads}"
        " --memory {resources.mem_mb}"
        " --log {log:q}"
