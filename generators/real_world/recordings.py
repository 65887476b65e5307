"""What a reader of recordings hands back, and under which terms each source may be passed on."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generators.errors import GeneratorError
from generators.trace import Source, Trace

LICENCE: Mapping[Source, str] = MappingProxyType(
    {
        "azt1d": "CC-BY-4.0",
        "hupa_ucm": "CC-BY-4.0",
        "metabonet": "LicenseRef-MetaboNet-terms-of-each-study",
        "ohiot1dm": "LicenseRef-OhioT1DM-data-use-agreement",
        "nightscout": "LicenseRef-private",
    }
)
"""SPDX identifier of each source's licence."""

PRIVATE: frozenset[Source] = frozenset({"metabonet", "ohiot1dm", "nightscout"})
"""Sources that are under a data use agreement, or private, and may never be passed on."""

_CHANGED = (
    "Changed: one window per subject that starts on a Monday, dates replaced by day numbers, "
    "readings moved to a 5-minute grid, repeated and contradictory entries removed, basal and "
    "bolus insulin combined per 5 minutes, questions and answers added."
)

ATTRIBUTION: Mapping[Source, str] = MappingProxyType(
    {
        "azt1d": (
            "S. Khamesian, A. Arefeen, M. A. Grando, B. M. Thompson, H. Ghasemzadeh: AZT1D: A "
            "Real-World Dataset for Type 1 Diabetes, 2025, arXiv:2506.14789, data "
            "https://doi.org/10.17632/gk9m674wcx.1, licensed under CC BY 4.0 "
            f"(https://creativecommons.org/licenses/by/4.0/). {_CHANGED}"
        ),
        "hupa_ucm": (
            "HUPA-UCM diabetes dataset, Hospital Universitario Príncipe de Asturias and "
            "Universidad Complutense de Madrid, 2024, data "
            "https://doi.org/10.17632/3hbcscwz44.1, licensed under CC BY 4.0 "
            f"(https://creativecommons.org/licenses/by/4.0/). {_CHANGED}"
        ),
        "metabonet": (
            "MetaboNet, 2026, arXiv:2601.11505, and the studies that it combines; their terms "
            f"hold, and this copy may not be passed on. {_CHANGED}"
        ),
        "ohiot1dm": (
            "C. Marling, R. Bunescu: The OhioT1DM Dataset for Blood Glucose Level Prediction: "
            "Update 2020, CEUR Workshop Proceedings 2675, 2020; under a data use agreement, may "
            f"not be passed on. {_CHANGED}"
        ),
        "nightscout": f"A private Nightscout export; may not be passed on. {_CHANGED}",
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
class DaysLeftOut:
    """Days of a trace about which less can be asked, or whose record is doubtful.

    Attributes:
        source: Where the recording comes from.
        subject: For example `azt1d_08`.
        days: Days of the trace, from 1, of the 30 that are shown.
        reason: What they lack, and what follows.
    """

    source: Source
    subject: str
    days: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recordings:
    """The recordings of one source, or of several together.

    Attributes:
        traces: One trace per subject kept, in the order of their ids.
        left_out: The other subjects, likewise.
        counts: Per subject, kept or not, how often each cleaning step acted on the whole
            recording, for example `{"azt1d_01": {"repeated_rows": 144, ...}, ...}`.
        days_left_out: Days of the traces about which less can be asked.
    """

    traces: tuple[Trace, ...]
    left_out: tuple[LeftOut, ...]
    counts: Mapping[str, Mapping[str, int]]
    days_left_out: tuple[DaysLeftOut, ...] = ()
