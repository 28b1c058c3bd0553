"""Model of a study: what is compared, by what, and with which settings.

Its fields are the keys of study files, their defaults those of the keys, and its docstrings what the manual
and ``crossbank help study`` say of them. Fields declared by ``no_key`` are made when a study is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, ClassVar, Literal

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.schemes.values import Step, ViewName
from crossbank.converters.schemes.views import NAMED_LISTS
from crossbank.metrics.counting.metric import metric_class
from crossbank.metrics.counting.scoring import scoring_of
from crossbank.metrics.statistics.defaults import ALPHA, LEVEL, SAMPLES, SEED, TRIALS, interval_name
from crossbank.reports.study.addresses import Download
from crossbank.reports.study.held_out import HeldOut, HeldOutSentences
from crossbank.reports.study.making import Making, making_names
from crossbank.reports.study.values import (
    Attribute,
    Deleted,
    Encoding,
    FormatName,
    MetricName,
    Name,
    SchemeName,
    Sha256,
    TreePattern,
    name_of,
)
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.shards import SHARD
from crossbank.treebanks.typed_yaml import Rule, adds_keys, key, no_key
from crossbank.treebanks.yaml_schemas import message_of

VERY_LARGE = 500
"""With more candidates the report also omits types of errors and scores by label, which take minutes.

Such candidates are read where they lie."""

GOLD = "gold"

INDEPENDENT = "dependencies"
"""The source of dependencies of gold's sentences that somebody else made."""

COLUMNS_BESIDE = ("words_per_sentence", "nodes_per_sentence", "nodes_per_word", "coverage")
"""The names of gold's ratios, and of what a parser has parsed, among the columns of a report."""


@dataclass(frozen=True)
class PublishedScores:
    """One row of scores; the values of measures, by their names, are in per cent as printed.

    treebank   the study's name of the treebank
    candidate  the study's name of the candidate
    metric     the study's name of the metric
    """

    treebank: Name
    metric: Name
    candidate: Name = key("", otherwise="the treebank's best")
    other_keys: ClassVar[Any] = float


@dataclass(frozen=True)
class Published:
    """Scores that a paper prints for what the study does: treebank, candidate, metric, measure and value.

    source   the paper
    differs  how the paper's setup differs
    scores   the printed scores
    """

    source: str
    differs: str = key("", otherwise="nothing is said")
    scores: Sequence[tuple[str, str, str, str, float]] = key(
        form=tuple[PublishedScores, ...],
        required=True,
        minItems=1,
        read=lambda rows: [
            (row["treebank"], row.get("candidate", ""), row["metric"], measure, float(value))
            for row in rows
            for measure, value in row.items()
            if measure not in ("treebank", "candidate", "metric")
        ],
    )


@dataclass(frozen=True, eq=False)
class Settings:
    """Settings of a whole study, its results and its report.

    name       the name of the study; results go to results/NAME
    title      the report's title
    about      what readers of the report must know first, in a few sentences; it precedes the main results
    published  published scores, to be shown beside the study's
    unscored   how a sentence is counted that has no parse, or other words than gold: as a parse without
               brackets (empty), or not at all (skip)
    words      the words that are compared: those of sentences with the same words (same), also of those with
               the same characters in other tokens and sentences (characters), or of all sentences, aligned by
               edits (align)
    missing    what happens to a candidate without a score in a treebank, in ranks and means over treebanks:
               it is omitted from them, or counts as 0 there, as in the CoNLL shared tasks
    match      the sentences that are scored: all (none), or drawn so that every treebank has the same
               number of each length; the others are skipped
    on_error   what happens to a candidate that cannot be read or scored: it is named with the reason and the
               others are scored (report), or the study stops
    strict     whether a misleading comparison stops the study
    shard_sentences
               how many sentences of a treebank are converted and scored at once
    bootstrap  the intervals of scores, by resampling sentences
    samples    resamples for each interval; 0 for no intervals
    seed       the seed of the resamples
    tests      the tests of differences between candidates, by swapping sentences; the default is enough for
               any number of them
    trials     draws of sentences for each p and interval of a difference
    alpha      candidates differ significantly if the probability, corrected for its family, is at most this;
               1 - alpha is the level of their intervals
    report     the contents of the report
    level      the confidence level of all intervals
    columns    the columns of the tables that compare measures, in this order: `METRIC.MEASURE` by the study's
               names, and `words_per_sentence`, `nodes_per_sentence`, `nodes_per_word` of gold and `coverage`
               of a parser, which come first
    worst      how many of the worst sentences are shown for each candidate and metric
    pages      the candidates that have a page of their own, with their worst sentences, errors, hot spots and
               plots: `all`, `none`, or a list of names
    breakdowns
               attributes of sentences in gold's comments by which scores are broken down, also where most
               sentences lack them
    """

    name: Name = field(metadata={"name": "study"})
    _: KW_ONLY
    title: str = key("", otherwise="the name")
    about: str = key("", otherwise="nothing is said")
    published: tuple[Published, ...] = ()
    unscored: Literal["empty", "skip"] = "empty"
    words: Literal["same", "characters", "align"] = "same"
    missing: Literal["leave_out", "zero"] = "leave_out"
    match: Literal["none", "length"] = "none"
    on_error: Literal["report", "stop"] = "report"
    strict: bool = False
    shard_sentences: int = key(SHARD, minimum=1)
    samples: int = key(SAMPLES, name="bootstrap.samples", minimum=0, maximum=1_000_000)
    seed: int = key(SEED, name="bootstrap.seed", minimum=0)
    trials: int = key(TRIALS, name="tests.trials", minimum=1, maximum=1_000_000)
    alpha: float = key(
        ALPHA, name="tests.alpha", expected="a probability up to 0.5", exclusiveMinimum=0, maximum=0.5
    )
    level: float = key(
        LEVEL,
        name="report.level",
        expected="a proportion between 0.5 and 1",
        exclusiveMinimum=0.5,
        exclusiveMaximum=1,
    )
    columns: tuple[str, ...] = key(
        name="report.columns", minItems=1, otherwise="the metrics' own choice, and the three of gold"
    )
    worst: int = key(10, name="report.worst", minimum=0, maximum=200)
    pages: Literal["all", "none"] | tuple[str, ...] = key(
        "none",
        name="report.pages",
        form=Literal["all", "none"] | Annotated[tuple[str, ...], Rule(minItems=1)],
        expected="all, none or a list of names of candidates",
    )
    breakdowns: tuple[str, ...] = key(
        name="report.breakdowns", otherwise="those that at least half of a treebank's sentences have"
    )

    @property
    def settings(self) -> dict[str, Any]:
        """Settings by name, for results."""
        return {one.name: getattr(self, one.name) for one in fields(Settings)}

    @property
    def interval(self) -> str:
        """Intervals of the study as tables and sentences call them: ``95 % interval``."""
        return interval_name(self.level)


@dataclass(frozen=True)
class Checksum:
    """The checksum of one file.

    sha256  the SHA-256 checksum that a file with an address must have
    """

    _: KW_ONLY
    sha256: Sha256 = key(None, otherwise="it is not checked, and the report says so")


@dataclass(frozen=True)
class ListedFile(Checksum):
    """A file with its checksum.

    path  the address of a file
    """

    path: str = key(..., minLength=1, required=True)


OF_FILES = "a file, a pattern with * in it, an address on the web, or a list of them"
_File = Annotated[str, Rule(minLength=1)]
_ListedFile = Annotated[_File | ListedFile, Rule("a file, a pattern with * in it, or an address on the web")]
FilesForm = Annotated[_File | Annotated[tuple[_ListedFile, ...], Rule(minItems=1)], Rule(OF_FILES)]


DamageForm = Literal["stop", "skip", "repair"]


@dataclass(frozen=True)
class Source:
    """A treebank's gold trees or one candidate: where they are and how they are read.

    paths       a file, a pattern with * (files in natural order: 9 before 10), the folder of a profile, an
                address on the web, or a list of them, read one after the other
    format      the files' format
    encoding    the text's encoding
    damaged     what happens to sentences that cannot be read: stop, skip (they have no parse), repair
    transformations
                transformations for this source alone, after the treebank's
    attributes  what the study says about a candidate (training size, parser): axes of the report
    constructed whether its errors were put in by hand, so that chance has no part in its differences
    system      the candidate of the study file, which sizes, seeds and patterns turn into several
    making      how a plug-in makes a candidate that has no files
    downloads   those of the files that are downloaded first, by their paths
    """

    name: str = no_key()
    paths: tuple[str, ...] = key(..., name="path", form=FilesForm, required=True)
    format: str = key(..., form=FormatName, required=False, otherwise="by the file's name")
    encoding: str | None = key(None, form=Encoding, otherwise="UTF-8, or what the file declares")
    damaged: str | None = key(None, form=DamageForm, otherwise="skip, of gold stop")
    transformations: tuple[Any, ...] = key(form=tuple[Step, ...])
    attributes: Mapping[str, Any] = no_key({})
    constructed: bool = no_key(False)
    system: str = no_key("")
    making: Making | None = no_key(None)
    downloads: Mapping[str, Download] = no_key({})


adds_keys(Source)(Checksum)


@dataclass(frozen=True)
class Candidate(Source):
    """A source that is scored.

    name         any name but gold and dependencies
    constructed  whether the candidate's errors were put in by hand; such candidates are scored, and no test
                 compares them with others, since their differences are not due to chance
    attributes   numbers become axes of the report's charts, texts distinguish their lines
    """

    name: str = key(..., form=Name, required=True)
    paths: tuple[str, ...] = key(
        ..., name="path", form=FilesForm, required=False, otherwise="a parser makes the candidate"
    )
    constructed: bool = False
    attributes: Mapping[str, Any] = key({}, form=Mapping[str, Attribute])

    @staticmethod
    def check_keys(candidate: Mapping[str, Any]) -> Iterator[tuple[list[str], str]]:
        """Yield an error unless there is exactly one source: files, or a plug-in that makes the candidate."""
        known = ("path", *making_names())
        keys = [key for key in known if key in candidate]
        if len(keys) != 1:
            neither = "neither " + " nor ".join(f"a {key}" for key in known)
            yield [], f"found {' and '.join(f'a {key}' for key in keys) or neither}, expected one of them"


@dataclass(frozen=True)
class SourceFiles:
    """Sources by a pattern of files' names.

    path    a pattern of file names, with {treebank} and {candidate} in braces
    only    the names of the treebanks or candidates to take
    left_out  the names of the treebanks or candidates to omit
    format  the files' format
    encoding  the text's encoding
    damaged   what happens to sentences that cannot be read: stop, skip (they have no parse), repair
    transformations  transformations of each of them
    """

    path: str = key(..., minLength=1, required=True)
    only: tuple[str, ...] = key(otherwise="all")
    left_out: tuple[str, ...] = key(name="except")
    format: FormatName = key("", otherwise="by the file's name")
    encoding: Encoding = key("", otherwise="UTF-8, or what the file declares")
    damaged: str = key("", form=DamageForm, otherwise="skip, of gold stop")
    transformations: tuple[Step, ...] = ()


_Steps = tuple[Step, ...]
ViewsForm = Mapping[
    ViewName,
    Annotated[
        _Steps | Literal["universal"],
        Rule("a list of transformations, or universal (Universal Dependencies by the scheme's rules)"),
    ],
]


@dataclass(frozen=True)
class Conventions:
    """What holds for gold and candidates of a treebank alike.

    scheme      the annotation scheme, by name or as the path of a scheme file of your own
    candidates  the candidates, as a list or by a pattern of files' names
    views       by view, lists of transformations that replace those of the scheme
    delete      tokens omitted from every score: punctuation by gold's tags (punct), or words of characters
                that Unicode calls punctuation (unicode)
    """

    _: KW_ONLY
    scheme: str | None = key(None, form=SchemeName, otherwise="none: labels as they stand, nothing deleted")
    candidates: tuple[Source, ...] = key(form=tuple[Candidate, ...] | SourceFiles)
    views: Mapping[str, Sequence[Any]] = key(
        {},
        form=ViewsForm,
        read=lambda views: {
            view: NAMED_LISTS[steps] if isinstance(steps, str) else steps for view, steps in views.items()
        },
        otherwise="the scheme's",
    )
    delete: str | None = key(None, form=Deleted, otherwise="the scheme's")


@dataclass(frozen=True)
class TreebankFiles(Conventions, SourceFiles):
    """Treebanks by a pattern of files' names."""


@dataclass(frozen=True, eq=False)
class TreebankSettings:
    """Settings of a treebank that its results have, too.

    name       the name in tables and file names
    hot_spots  tree patterns; the report shows what is lost in the tokens and constituents that they find
    cite       how to cite the corpus, as a BibTeX entry, which the report shows under "How this was scored"
    """

    name: str = key(..., form=Name, required=True)
    _: KW_ONLY
    cite: str = key("", otherwise="nothing is said")
    hot_spots: Sequence[str] = key(
        form=tuple[TreePattern, ...],
        minItems=1,
        uniqueItems=True,
        expected="a list of tree patterns",
        otherwise="none; configurations are mined nevertheless",
    )

    @property
    def settings(self) -> dict[str, Any]:
        """Settings by name, for results."""
        return {one.name: getattr(self, one.name) for one in fields(TreebankSettings)}


@dataclass(frozen=True)
class StudiedTreebank(Conventions, TreebankSettings):
    """Gold and candidates in one scheme.

    gold          where the gold trees are
    dependencies  independent dependencies of gold's sentences, against which the conversion is measured
    transformations
                  transformations that gold and candidates go through first, in order
    context_free  transformations that make gold like the output of a context-free parser before its
                  dependencies are read off
    metrics       the metrics of the study that score this treebank's candidates
    held_out      which sentences of gold are scored; None for all
    missing       the candidates of other treebanks that have no file for this one
    """

    gold: Source = key(..., required=True)
    dependencies: Source | None = None
    transformations: tuple[Any, ...] = key(form=_Steps)
    context_free: tuple[Any, ...] = key(form=_Steps, otherwise="none: gold is intact")
    metrics: tuple[str, ...] | None = key(None, form=tuple[Name, ...], otherwise="all")
    held_out: HeldOut | None = no_key(None)
    missing: tuple[str, ...] = no_key(())

    @property
    def sources(self) -> tuple[Source, ...]:
        """Everything that is read."""
        further = () if self.dependencies is None else (self.dependencies,)
        return (self.gold, *self.candidates, *further)

    def conversion(self) -> tuple[Any, ...]:
        """Return the steps that make dependencies of trees; none without a scheme, or where it has none."""
        if self.scheme is None:
            return ()
        return tuple(self.views.get("dependencies", load_scheme(self.scheme).views.get("dependencies", ())))

    def source(self, name: str) -> Source:
        """Return gold, a candidate or the independent dependencies, by name."""
        return self._sources[name]

    @cached_property
    def _sources(self) -> dict[str, Source]:
        return {source.name: source for source in self.sources}


adds_keys(StudiedTreebank)(HeldOutSentences)


@dataclass(frozen=True)
class StudiedMetric:
    """A metric with its options, under the name that the study's files and tables give it.

    metric   a metric of `crossbank list metrics`, or module:Class for one of your own
    name     its name in tables and files, where one metric is used twice
    options  the metric's options
    """

    name: str = key(..., form=Annotated[str, name_of(40)], required=False, otherwise="the metric's")
    metric: str = key(..., form=MetricName, required=True)
    options: Mapping[str, Any] = key({}, otherwise="the metric's defaults")

    @staticmethod
    def check_keys(entry: Mapping[str, Any]) -> Iterator[tuple[list[str], str]]:
        """Yield what is wrong with the options."""
        try:
            scoring_of([entry["metric"]], entry.get("options", {}))
        except CrossbankError as error:
            yield ["options"], message_of(error)

    @classmethod
    def of(cls, entry: str | Mapping[str, Any]) -> StudiedMetric:
        """Return the metric of an entry in a study file: a name, or a mapping."""
        described: Mapping[str, Any] = {"metric": entry} if isinstance(entry, str) else entry
        name = described["metric"]
        return cls(described.get("name", metric_class(name).name), name, described.get("options", {}))

    @cached_property
    def view(self) -> str:
        """View of the treebanks on which the metric is computed."""
        from crossbank.metrics.counting.metric import metric

        return metric(self.metric).view


_Entry = Annotated[
    MetricName | StudiedMetric, Rule("the name of a metric, or a mapping with metric, name and options")
]


@dataclass(frozen=True)
class Study(Settings):
    """The treebanks, candidates and metrics of a study, as `snakemake --configfile STUDY.yaml` takes them.

    treebanks  the treebanks, as a list or by a pattern of files' names
    metrics    the metrics by which candidates are scored; without one the report is on the treebanks alone
    file, content  where the study was read from, and what it says there
    without_gold   the candidates that a pattern finds for treebanks without gold, by treebank
    """

    file: str = no_key()
    content: Mapping[str, Any] = no_key()
    treebanks: tuple[StudiedTreebank, ...] = key(
        ..., form=TreebankFiles | Annotated[tuple[StudiedTreebank, ...], Rule(minItems=1)], required=True
    )
    metrics: tuple[StudiedMetric, ...] = key(
        form=tuple[_Entry, ...], read=lambda entries: tuple(map(StudiedMetric.of, entries))
    )
    without_gold: Mapping[str, Sequence[str]] = no_key({})

    def treebank(self, name: str) -> StudiedTreebank:
        """A treebank by its name."""
        return self._treebanks[name]

    def metric(self, name: str) -> StudiedMetric:
        """A metric by the name that the study gives it."""
        return next(metric for metric in self.metrics if metric.name == name)

    def metrics_of(self, treebank: str) -> tuple[StudiedMetric, ...]:
        """Return the metrics by which the candidates of a treebank are scored."""
        chosen = self.treebank(treebank).metrics
        return tuple(metric for metric in self.metrics if chosen is None or metric.name in chosen)

    def options(self, treebank: str, metric: str) -> dict[str, Any]:
        """Options with which a metric counts a treebank: its own, the study's and the treebank's."""
        delete = self.treebank(treebank).delete
        shared = {"delete": delete} if delete else {}
        if self.words != "same" and metric_class(self.metric(metric).metric).compares_words:
            shared["words"] = self.words
        return {**shared, **self.metric(metric).options}

    @property
    def inputs(self) -> list[str]:
        """Every file that is read, in the study's order."""
        return [path for t in self.treebanks for source in t.sources for path in source.paths]

    def origin(self, path: str) -> str:
        """A file that is read as reports name it: its path, or the address that it is downloaded from."""
        download = self.downloads.get(path)
        if download is None:
            return path
        return download.address if download.checksum else f"{download.address} (the study gives no checksum)"

    @cached_property
    def downloads(self) -> dict[str, Download]:
        """Files that are downloaded first, by their paths, with the checksum that any source gives."""
        downloads: dict[str, Download] = {}
        for source in chain.from_iterable(treebank.sources for treebank in self.treebanks):
            for path, download in source.downloads.items():
                if download.checksum or path not in downloads:
                    downloads[path] = download
        return downloads

    @cached_property
    def _treebanks(self) -> dict[str, StudiedTreebank]:
        return {treebank.name: treebank for treebank in self.treebanks}


@adds_keys(Study)
@dataclass(frozen=True)
class SharedFiles:
    """Keys that the paths and candidates of all treebanks share.

    data        a folder (or any text) that stands for {data} in paths
    candidates  the candidates of all treebanks by a pattern of files' names
    """

    data: str = ""
    candidates: SourceFiles | None = None
