# Trees without what a scheme deletes, which Parseval and leaf-ancestor score; and what is made of them alone.


rule constituents:
    input:
        lambda wildcards: PLAN.as_read_in(wildcards.treebank, wildcards.batch),
    output:
        f"{PLAN.results}/converted/{{treebank}}/{{batch}}.constituents.parquet",
    log:
        f"{PLAN.results}/logs/constituents/{{treebank}}/{{batch}}.log",
    group:
        GROUP
    threads: BATCH.threads
    resources:
        mem_mb=BATCH.memory,
        runtime=BATCH.minutes,
    params:
        python=PYTHON,
        settings=PLAN.view_settings,
        on_error=lambda wildcards: PLAN.on_error(wildcards.batch),
        shard_sentences=STUDY.shard_sentences,
        digest=PLAN.view_digest("constituents"),
    shell:
        "{params.python:q} -P -m crossbank.workflow.steps.view"
        " --inputs {input:q}"
        " --output {output:q}"
        " --settings {params.settings:q}"
        " --on_error {params.on_error}"
        " --shard_sentences {params.shard_sentences}"
        " --threads {threads}"
        " --memory {resources.mem_mb}"
        " --log {log:q}"


# Beil et al. (2002), section 3.1.
use rule constituents as chunks with:
    output:
        f"{PLAN.results}/converted/{{treebank}}/{{batch}}.chunks.parquet",
    log:
        f"{PLAN.results}/logs/chunks/{{treebank}}/{{batch}}.log",
    params:
        digest=PLAN.view_digest("chunks"),


# Tagged tokens, which metrics of tags score.
use rule constituents as tags with:
    output:
        f"{PLAN.results}/converted/{{treebank}}/{{batch}}.tags.parquet",
    log:
        f"{PLAN.results}/logs/tags/{{treebank}}/{{batch}}.log",
    params:
        digest=PLAN.view_digest("tags"),
