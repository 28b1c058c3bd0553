# Sources as they are read: gold, independent dependencies of its sentences, and candidates in batches.


localrules:
    download,


# Files that the study gives by their address. Where jobs run elsewhere, there may be no way to the web.
rule download:
    output:
        f"{DOWNLOADS}/{{key}}/{{file}}",
    log:
        f"{PLAN.results}/logs/download/{{key}}/{{file}}.log",
    wildcard_constraints:
        key="[0-9a-f]{12}",
        file="[^/]+",
    params:
        python=PYTHON,
        address=lambda wildcards: PLAN.downloads[wildcards.key].address,
        sha256=lambda wildcards: PLAN.downloads[wildcards.key].checksum,
    shell:
        "{params.python:q} -P -m crossbank.workflow.steps.download"
        " --address {params.address:q}"
        " --sha256 {params.sha256:q}"
        " --output {output:q}"
        " --threads {threads}"
        " --log {log:q}"


rule read:
    input:
        lambda wildcards: PLAN.inputs(wildcards.treebank, wildcards.batch),
    output:
        f"{PLAN.results}/treebanks/{{treebank}}/{{batch}}.parquet",
    log:
        f"{PLAN.results}/logs/read/{{treebank}}/{{batch}}.log",
    group:
        GROUP
    threads: BATCH.threads
    resources:
        mem_mb=BATCH.memory,
        runtime=BATCH.minutes,
    params:
        python=PYTHON,
        settings=lambda wildcards: PLAN.reading_all(wildcards.treebank, wildcards.batch).argument,
        on_error=lambda wildcards: PLAN.on_error(wildcards.batch),
        shard_sentences=STUDY.shard_sentences,
        digest=lambda wildcards: PLAN.reading_all(wildcards.treebank, wildcards.batch).digest,
        as_of=lambda wildcards: PLAN.as_of(PLAN.sources(wildcards.treebank, wildcards.batch)),
    shell:
        "{params.python:q} -P -m crossbank.workflow.steps.read"
        " --inputs {input:q}"
        " --output {output:q}"
        " --settings {params.settings:q}"
        " --on_error {params.on_error}"
        " --shard_sentences {params.shard_sentences}"
        " --threads {threads}"
        " --memory {resources.mem_mb}"
        " --log {log:q}"
