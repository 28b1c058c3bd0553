"""Checks of comparisons: all of them, in the order in which their diagnostics are listed."""

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
from crossbank.metrics.checks.labels import (
    ForgottenScheme,
    LabelledAboveUnlabelled,
    MeanOfSentences,
    OptionsWithoutEffect,
    UnknownPunctuation,
    UnlikeLabels,
    UnlikeWrappers,
    WrongScheme,
)
from crossbank.metrics.checks.words import (
    AlignedWords,
    DamagedSentences,
    DifferingWords,
    MatchedSentences,
    OtherLineEnds,
    OtherNormalForms,
    ReadingChoices,
    TracesOnOneSide,
)

CHECKS: tuple[type[Check], ...] = (
    IdenticalToGold,
    DamagedSentences,
    ReadingChoices,
    MatchedSentences,
    DifferingWords,
    AlignedWords,
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
