"""All checks, in the order in which their diagnostics are listed."""

from __future__ import annotations

from crossbank.metrics.checks.candidates import GoldTags, IdenticalToGold, MissingParses, WordsAlone
from crossbank.metrics.checks.check import Check
from crossbank.metrics.checks.dependencies import HeadsFromZero, SeveralRoots
from crossbank.metrics.checks.files import OtherLineEnds, OtherNormalForms
from crossbank.metrics.checks.labels import UnlikeLabels, UnlikeWrappers
from crossbank.metrics.checks.schemes import ForgottenScheme, UnknownPunctuation, WrongScheme
from crossbank.metrics.checks.scores import LabelledAboveUnlabelled, MeanOfSentences, OptionsWithoutEffect
from crossbank.metrics.checks.words import DifferingWords, TracesOnOneSide

CHECKS: tuple[type[Check], ...] = (
    IdenticalToGold,
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
