# Files that the study gives by their address. Where jobs run elsewhere, there may be no way to the web.


localrules:
    download,


rule download:
    output:
        update(f"{DOWNLOADS}/{{key}}/{{file}}"),
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
