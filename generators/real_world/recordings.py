"""What a reader of recordings hands back, and under which terms each source may be passed on."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generators.errors import GeneratorError
from generators.trace import Source, Trace

LICENCE: Mapping[Source, str] = MappingProxyType({"azt1d": "CC-BY-4.0"})
"""SPDX identifier of each source's licence."""

ATTRIBUTION: Mapping[Source, str] = MappingProxyType(
    {
        "azt1d": (
            "S. Khamesian, A. Arefeen, M. A. Grando, B. M. Thompson, H. Ghasemzadeh: AZT1D: A "
            "Real-World Dataset for Type 1 Diabetes, 2025, arXiv:2506.14789, data "
            "https://doi.org/10.17632/gk9m674wcx.1, licensed under CC BY 4.0 "
            "(https://creativecommons.org/licenses/by/4.0/). Changed: one window per subject "
            "that starts on a Monday, dates replaced by day numbers, readings moved to a 5-minute "
            "grid, repeated and contradictory entries removed, basal and bolus insulin combined "
            "per 5 minutes, questions and answers added."
        )
    }
)
"""Whom to name for each source, where it lies, its licence, and what was changed."""


class RawDataError(GeneratorError):
    """Raw recordings are missing or cannot be read; the message names file, row and column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A subject whose recording yields no trace.

    Attributes:
        source: Where the recording comes from.
        subject: The id its trace would have had, for example `azt1d_08`.
        reason: Why it is left out, for the table and the card.
    """

    source: Source
    subject: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recordings:
    """The recordings of one source.

    Attributes:
        traces: One trace per subject kept, by subject number.
        left_out: The other subjects, by subject number.
        counts: Per subject, kept or not, how often each cleaning step acted on the whole
            recording, for example `{"azt1d_01": {"repeated_rows": 144, ...}, ...}`.
    """

    traces: tuple[Trace, ...]
    left_out: tuple[LeftOut, ...]
    counts: Mapping[str, Mapping[str, int]]
