# What the counts say: the summary, the problems, the report.

REPORTING = Demand(lambda _: PLAN.megabytes_of_all(), CORES, times=4)


rule report:
    input:
        study=PLAN.results / "study.yaml",
        scores=PLAN.scores(),
        views=PLAN.views(),
        treebanks=PLAN.as_read(),
        reliability=PLAN.reliability(),
        floor=PLAN.floor(),
        conventions=PLAN.conventions(),
    output:
        summary=report(
            PLAN.results / "summary.csv",
            caption="../captions/summary.rst",
            category="Scores",
            labels={"table": "summary"},
        ),
        problems=report(
            PLAN.results / "problems.csv",
            caption="../captions/problems.rst",
            category="Sentences without a score",
            labels={"table": "problems"},
        ),
        page=report(
            PLAN.results / "report/index.html",
            caption="../captions/report.rst",
            category="Report",
            labels={"page": "report"},
        ),
        sentences=PLAN.results / "report/sentences.html",
        data=directory(PLAN.results / "report/data"),
        latex=PLAN.results / "report/tables.tex",
        tables=report(
            directory(PLAN.results / "report/tables"),
            patterns=["{table}.csv"],
            caption="../captions/table.rst",
            category="Tables",
            labels={"table": "{table}"},
        ),
        figures=report(
            directory(PLAN.results / "report/figures"),
            patterns=["{figure}.svg"],
            caption="../captions/figure.rst",
            category="Figures",
            labels={"figure": "{figure}"},
        ),
        lines=PLAN.results / "report/summary.md",
    log:
        PLAN.results / "logs/report.log",
    group:
        STUDY_GROUP
    threads: CORES
    resources:
        mem_mb=REPORTING.memory,
        runtime=REPORTING.minutes,
    params:
        python=PYTHON,
        results=lambda wildcards, output: Path(output.summary).parent,
        digest=PLAN.reporting(),
    shell:
        "{params.python:q} -P -m crossbank.workflow.steps.report"
        " --results {params.results:q}"
        " --threads {threads}"
        " --memory {resources.mem_mb}"
        " --log {log:q}"
