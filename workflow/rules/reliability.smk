# How far a treebank's conversion to dependencies can be trusted.

MEASURING = Demand(lambda wildcards: PLAN.megabytes_measured(wildcards.treebank), CORES)


rule reliability:
    input:
        lambda wildcards: PLAN.measured(wildcards.treebank),
    output:
        f"{PLAN.results}/reliability/{{treebank}}.json",
    log:
        f"{PLAN.results}/logs/reliability/{{treebank}}.log",
    group:
        STUDY_GROUP
    threads: MEASURING.threads
    resources:
        mem_mb=MEASURING.memory,
        runtime=MEASURING.minutes,
    params:
        python=PYTHON,
        settings=lambda wildcards: PLAN.measuring(wildcards.treebank).argument,
        digest=lambda wildcards: PLAN.measuring(wildcards.treebank).digest,
    shell:
        "{params.python:q} -P -m crossbank.workflow.steps.reliability"
        " --inputs {input:q}"
        " --output {output:q}"
        " --settings {params.settings:q}"
        " --threads {threads}"
        " --memory {resources.mem_mb}"
        " --log {log:q}"
