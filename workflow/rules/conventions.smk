# Candidates under every convention of dependencies that treebanks of the same sentences share.

COMPARED = Demand(lambda _: PLAN.megabytes_of_all(), CORES)


rule conventions:
    input:
        PLAN.convention_sources(),
    output:
        PLAN.results / CONVENTIONS,
    log:
        PLAN.results / "logs/conventions.log",
    group:
        STUDY_GROUP
    threads: COMPARED.threads
    resources:
        mem_mb=COMPARED.memory,
        runtime=COMPARED.minutes,
    params:
        python=PYTHON,
        settings=PLAN.counting_conventions().argument,
        shard_sentences=STUDY.shard_sentences,
        digest=PLAN.counting_conventions().digest,
    shell:
        "{params.python:q} -P -m crossbank.workflow.steps.conventions"
        " --inputs {input:q}"
        " --output {output:q}"
        " --settings {params.settings:q}"
        " --shard_sentences {params.shard_sentences}"
        " --threads {threads}"
        " --memory {resources.mem_mb}"
        " --log {log:q}"
