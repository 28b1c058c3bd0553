"""Write a study as it is run, all study files merged."""

from pathlib import Path
from typing import TYPE_CHECKING

from crossbank.reports.study.reading import write_resolved

if TYPE_CHECKING:
    from snakemake.script import Snakemake

    snakemake: Snakemake

write_resolved(snakemake.config, Path(snakemake.output[0]))  # noqa: F821
