# The study as it is run: all study files and `--config` merged. The report shows its checksum.
# A template, since Snakemake renders it in its own process; and a script's Python may not have a space in its path.


localrules:
    study,


rule study:
    input:
        ancient(workflow.source_path("../templates/study.yaml.jinja")),
    output:
        PLAN.results / "study.yaml",
    log:
        PLAN.results / "logs/study.log",
    priority: 1  # the page of all studies lists those that have it
    params:
        content=lambda wildcards: resolved(config),
        digest=sha256(resolved(config).encode()).hexdigest()[:16],
    template_engine:
        "jinja2"
