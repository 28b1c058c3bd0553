"""All checks, in the order in which their diagnostics are listed."""

from __future__ import annotations

from crossbank.metrics.checks.candidates import (
    GoldTags,
    HeadsFromZero,
    IdenticalToGold,
    MissingParses,
    SeveralRoots,
    WordsAlone,
)
from crossbank.metrics.checks.check import Check
from crossbank.metrics.checks.damage import DamagedSentences
from crossbank.metrics.checks.labels import UnlikeLabels, UnlikeWrappers
from crossbank.metrics.checks.matching import MatchedSentences
from crossbank.metrics.checks.schemes import (
    ForgottenScheme,
    LabelledAboveUnlabelled,
    MeanOfSentences,
    OptionsWithoutEffect,
    UnknownPunctuation,
    WrongScheme,
)
from crossbank.metrics.checks.words import DifferingWords, OtherLineEnds, OtherNormalForms, TracesOnOneSide

CHECKS: tuple[type[Check], ...] = (
    IdenticalToGold,
    DamagedSentences,
    MatchedSentences,
    DifferingWords,
    MissingParses,
    WordsAlone,
    TracesOnOneSide,
    WrongScheme,
    ForgottenScheme,
    UnlikeLabels,
    UnlikeWrappers,
    UnknownPunctuation,
    HeadsFromZero,
    SeveralRoots,
    LabelledAboveUnlabelled,
    GoldTags,
    MeanOfSentences,
    OptionsWithoutEffect,
    OtherNormalForms,
    OtherLineEnds,
)
