# Every source as it was read, and in each view that metrics want: one job a source.
# A rule for each kind of source, since gold is shown in more views than candidates. Where a study has many
# candidates, those of a treebank are converted together.

for conversion in PLAN.conversions():
    size = Demand(lambda wildcards: PLAN.megabytes(wildcards.treebank, wildcards.name), CORES)

    rule:
        name:
            conversion.name
        input:
            lambda wildcards: PLAN.inputs(wildcards.treebank, wildcards.name),
        output:
            update(f"{PLAN.results}/treebanks/{{treebank}}/{{name}}.parquet"),
            *(
                update(f"{PLAN.results}/converted/{{treebank}}/{{name}}.{view}.parquet")
                for view in conversion.makes
            ),
        log:
            f"{PLAN.results}/logs/convert/{{treebank}}/{{name}}.log",
        wildcard_constraints:
            treebank=conversion.treebanks,
            name=conversion.sources,
        group:
            PLAN.group or ("candidate" if conversion.name.startswith("convert_candidates") else None)
        threads: size.threads
        resources:
            mem_mb=size.memory,
            runtime=size.minutes,
        params:
            python=PYTHON,
            each=lambda wildcards, input: len(input),
            settings=lambda wildcards: PLAN.converting_all(wildcards.treebank, wildcards.name).arguments,
            on_error="stop" if conversion.sources in ("gold", "dependencies") else STUDY.on_error,
            shard_sentences=STUDY.shard_sentences,
            digests=lambda wildcards: PLAN.converting_all(wildcards.treebank, wildcards.name).digests,
            as_of=lambda wildcards: PLAN.as_of(wildcards.treebank, wildcards.name),
        shell:
            "{params.python:q} -P -m crossbank.workflow.steps.convert"
            " --inputs {input:q}"
            " --each {params.each}"
            " --outputs {output:q}"
            " --settings {params.settings:q}"
            " --digests {params.digests:q}"
            " --on_error {params.on_error}"
            " --shard_sentences {params.shard_sentences}"
            " --threads {threads}"
            " --memory {resources.mem_mb}"
            " --log {log:q}"


for batch in PLAN.batches:
    size = Demand(
        lambda _, batch=batch: PLAN.megabytes(batch.treebank, *batch.candidates),
        CORES,
        largest=lambda _, batch=batch: PLAN.megabytes_of_largest(batch),
    )
    of_each = [PLAN.inputs(batch.treebank, name) for name in batch.candidates]

    rule:
        name:
            f"convert_{batch.treebank}_{batch.name}"
        input:
            *of_each,
        output:
            [update(str(path)) for path in PLAN.converted_batch(batch)],
        log:
            f"{PLAN.results}/logs/convert/{batch.treebank}/{batch.name}.log",
        group:
            PLAN.group or "candidate"
        threads: size.threads
        resources:
            mem_mb=size.memory,
            runtime=size.minutes,
        params:
            python=PYTHON,
            each=[len(files) for files in of_each],
            settings=PLAN.converting_all(batch.treebank, *batch.candidates).arguments,
            on_error=STUDY.on_error,
            shard_sentences=STUDY.shard_sentences,
            digests=PLAN.converting_all(batch.treebank, *batch.candidates).digests,
            as_of=PLAN.as_of(batch.treebank, *batch.candidates),
        shell:
            "{params.python:q} -P -m crossbank.workflow.steps.convert"
            " --inputs {input:q}"
            " --each {params.each}"
            " --outputs {output:q}"
            " --settings {params.settings:q}"
            " --digests {params.digests:q}"
            " --on_error {params.on_error}"
            " --shard_sentences {params.shard_sentences}"
            " --threads {threads}"
            " --memory {resources.mem_mb}"
            " --log {log:q}"
