"""Causes of faults: the six malfunctions and six attacks of the source, and three pump failures.

The twelve are those of HealthLoopQA (Niu et al., 2026); which label stands for which cause in which
context is told here once and read by the schedules, the docs and the tests. The source's tables
hold no failure of a pump or its infusion set, which its tasks on undelivered insulin ask for.
"""

from dataclasses import dataclass
from typing import Literal

from generators.trace import FaultLabel

Kind = Literal["malfunction", "attack", "pump failure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """Why something goes wrong.

    Attributes:
        name: As in the fault's `cause`.
        kind: Malfunction of the sensor, attack, or failure of the pump.
        labels: What it can look like in the record.
        context: When it occurs in the release.
        tasks: Anomaly tasks that ask for it by name or by its context.
    """

    name: str
    kind: Kind
    labels: tuple[FaultLabel, ...]
    context: str
    tasks: tuple[str, ...]


_CAUSES = (
    Cause(
        name="miscalibration",
        kind="malfunction",
        labels=("positive_bias", "negative_bias"),
        context="any time, for one to four hours",
        tasks=("ad_9", "ad_53"),
    ),
    Cause(
        name="pressure_attenuation",
        kind="malfunction",
        labels=("negative_spike",),
        context="while the patient sleeps, 00:00 to 06:00",
        tasks=("ad_54",),
    ),
    Cause(
        name="motion_spikes",
        kind="malfunction",
        labels=("positive_spike", "negative_spike"),
        context="during exercise",
        tasks=("ad_10", "ad_55"),
    ),
    Cause(
        name="loss_of_sensitivity",
        kind="malfunction",
        labels=("repeated_reading", "zero_reading", "positive_spike", "negative_spike"),
        context="any time, also at night and in the last week",
        tasks=("ad_6", "ad_7", "ad_8", "ad_11", "ad_40", "ad_56"),
    ),
    Cause(
        name="lowered_local_glucose",
        kind="malfunction",
        labels=("negative_bias", "min_reading"),
        context="any time; as a shift for six hours and more",
        tasks=("ad_42", "ad_57"),
    ),
    Cause(
        name="communication_loss",
        kind="malfunction",
        labels=("missing_signal",),
        context="in bursts of three short gaps, and on the last weekend",
        tasks=("ad_3", "ad_12", "ad_43"),
    ),
    Cause(
        name="availability_attack",
        kind="attack",
        labels=("missing_signal",),
        context="most of a morning",
        tasks=("ad_1", "ad_2"),
    ),
    Cause(
        name="process_aware_attack",
        kind="attack",
        labels=("false_meal", "positive_spike", "negative_spike", "max_reading"),
        context="a meal announced at night when glucose is low; readings thrown off after lunch, "
        "early in the night or in the morning; readings held at the top",
        tasks=("ad_16", "ad_24", "ad_33", "ad_38", "ad_39", "ad_44", "ad_50"),
    ),
    Cause(
        name="replay_attack",
        kind="attack",
        labels=("repeated_episode", "repeated_reading", "false_bolus"),
        context="readings of one to three days ago come again; yesterday's meal bolus is given again",
        tasks=("ad_45",),
    ),
    Cause(
        name="dose_manipulation",
        kind="attack",
        labels=("positive_basal", "max_basal", "false_bolus"),
        context="during exercise or in the hour after it, while glucose is below 120 mg/dL",
        tasks=("ad_46",),
    ),
    Cause(
        name="bias_injection",
        kind="attack",
        labels=("positive_bias", "negative_bias"),
        context="any time, for one to four hours",
        tasks=("ad_47", "ad_51"),
    ),
    Cause(
        name="remote_control",
        kind="attack",
        labels=("false_bolus", "positive_basal", "negative_basal", "max_basal", "min_basal"),
        context="insulin added below 120 mg/dL, taken away above 140 mg/dL",
        tasks=("ad_48", "ad_52", "ad_58", "ad_60"),
    ),
    Cause(
        name="empty_reservoir",
        kind="pump failure",
        labels=("unknown_stop",),
        context="from just before the bolus of a main meal on, for three to four hours",
        tasks=("ad_59", "ad_62"),
    ),
    Cause(
        name="blocked_infusion_set",
        kind="pump failure",
        labels=("unknown_stop",),
        context="from just before the bolus of a main meal on, for three to four hours",
        tasks=("ad_59", "ad_63"),
    ),
    Cause(
        name="leaking_insulin",
        kind="pump failure",
        labels=("unknown_under",),
        context="from just before the bolus of a main meal on, for three to four hours",
        tasks=("ad_61", "ad_64"),
    ),
)

CAUSES: dict[str, Cause] = {cause.name: cause for cause in _CAUSES}
"""Causes by name."""


def causes_of(label: FaultLabel) -> tuple[str, ...]:
    """Return the names of the causes that a label can have."""
    return tuple(cause.name for cause in _CAUSES if label in cause.labels)


def cause_table() -> str:
    """Return the table of causes, labels, contexts and tasks in Markdown."""
    rows = ["| cause | kind | labels | when | tasks |", "|---|---|---|---|---|"]
    rows += [
        f"| {cause.name} | {cause.kind} | {', '.join(cause.labels)} | {cause.context} "
        f"| {', '.join(cause.tasks)} |"
        for cause in _CAUSES
    ]
    return "\n".join(rows)
