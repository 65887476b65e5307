"""To which patients a build is restricted, and what that leaves out of each config.

An id is a simulated patient's, whom `simulated` and `fault_injected` ask about, or a recorded
subject's, whom `real_world` asks about.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from builder.errors import BuildError
from builder.generate import CLOSED_LOOP, LeftOut
from builder.schema import Config
from generators.fault_injected.inject import FAULT_PATIENT_IDS
from generators.real_world.recordings import Recordings
from generators.simulated.patients import PATIENT_IDS


def check_known(
    only: Sequence[str], configs: Sequence[Config], recordings: Recordings | None
) -> None:
    """Check that each of these ids is one that a config knows.

    Args:
        only: The ids.
        configs: The configs of questions that are to be built.
        recordings: What `real_world` asks about; None where there are none.

    Raises:
        BuildError: One is not; the message says which are known.
    """
    known = {config: _known(config, recordings) for config in configs}
    for patient in only:
        if not any(patient in ids for ids in known.values()):
            raise BuildError(
                f"no config that is to be built knows the patient {patient!r}; "
                + ("; ".join(_told(known)) or "none of them asks about patients")
            )


def only_of(recordings: Recordings, only: Sequence[str]) -> Recordings:
    """Return the recordings of these subjects."""
    traces = tuple(trace for trace in recordings.traces if trace.patient_id in only)
    left_out = tuple(left for left in recordings.left_out if left.subject in only)
    kept = {*(trace.trace_id for trace in traces), *only}
    return replace(
        recordings,
        traces=traces,
        left_out=left_out,
        counts={subject: n for subject, n in recordings.counts.items() if subject in kept},
        days_left_out=tuple(left for left in recordings.days_left_out if left.subject in kept),
    )


def unasked(
    config: Config, only: Sequence[str], recordings: Recordings | None
) -> Iterator[LeftOut]:
    """Yield those of these ids of whom a config asks nothing, with the reason."""
    known = _known(config, recordings)
    for patient in only:
        if patient not in known:
            kind = "recorded subject" if config == "real_world" else "simulated patient"
            yield LeftOut(config=config, subject=patient, reason=f"is no {kind}")
        elif config == "fault_injected" and patient not in FAULT_PATIENT_IDS:
            yield LeftOut(config=config, subject=patient, reason=CLOSED_LOOP)


def _known(config: Config, recordings: Recordings | None) -> tuple[str, ...]:
    if config != "real_world":
        return PATIENT_IDS
    if recordings is None:
        return ()
    held = [trace.patient_id for trace in recordings.traces]
    return tuple(sorted({*held, *(left.subject for left in recordings.left_out)}))


def _told(known: dict[Config, tuple[str, ...]]) -> Iterator[str]:
    """Yield what is known, configs that know the same together."""
    for ids in dict.fromkeys(known.values()):
        configs = " and ".join(config for config, held in known.items() if held == ids)
        yield f"{configs}: {', '.join(ids) or 'no recordings'}"
