# Candidates that the study trains itself: one job a candidate, with all its folds.

size = Demand(
    lambda wildcards: PLAN.megabytes(wildcards.treebank, wildcards.candidate), CORES, 2000, 50, 60, 10
)


rule parse:
    input:
        lambda wildcards: STUDY.treebank(wildcards.treebank).gold.paths,
    output:
        update(f"{PLAN.results}/parsed/{{treebank}}/{{candidate}}.parquet"),
        update(f"{PLAN.results}/parsed/{{treebank}}/{{candidate}}.json"),
    log:
        f"{PLAN.results}/logs/parse/{{treebank}}/{{candidate}}.log",
    threads: CORES
    resources:
        mem_mb=size.memory,
        runtime=size.minutes,
    params:
        python=PYTHON,
        settings=lambda wildcards: PLAN.parsing(wildcards.treebank, wildcards.candidate).argument,
        digest=lambda wildcards: PLAN.parsing(wildcards.treebank, wildcards.candidate).digest,
        as_of=lambda wildcards: PLAN.as_of(wildcards.treebank, wildcards.candidate),
    shell:
        "{params.python:q} -P -m crossbank.workflow.steps.parse"
        " --inputs {input:q}"
        " --outputs {output:q}"
        " --settings {params.settings:q}"
        " --digests {params.digest:q}"
        " --threads {threads}"
        " --memory {resources.mem_mb}"
        " --log {log:q}"
