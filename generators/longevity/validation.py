"""Checks that a profile is plausible, consistent with itself and clear of every cut-off."""

from collections import Counter
from collections.abc import Iterable, Iterator

from generators.longevity.derived import DERIVED, Derived
from generators.longevity.errors import LongevityError
from generators.longevity.markers import MARKERS
from generators.longevity.pairs import unlikely_pairs
from generators.longevity.profile import Measurement, Profile
from generators.longevity.rules import rule_limits
from generators.longevity.vocabulary import FLAGS
from generators.longevity.wording import third_person

CUTOFF_MARGIN = 0.10
"""Share of a cut-off that a value must stay away from it, unless the profile says why not."""

T_SCORE_FROM = 50
"""Age from which bone density is read as T-score; below, as Z-score.

The WHO classification holds for postmenopausal women and men from 50 on (ISCD 2005, J Clin Densitom
9:22).
"""

_ROUNDING = 1e-9


def check_profile(profile: Profile, where: str) -> None:
    """Check a profile.

    Args:
        profile: The profile.
        where: Named in messages, for example the item.

    Raises:
        LongevityError: Lists everything that is wrong, each with the field and what to change.
    """
    try:
        problems = list(_problems(profile))
    except LongevityError as error:
        raise LongevityError(f"{where}: {error}") from error
    if problems:
        raise LongevityError(f"{where}: {'; '.join(problems)}")


def _problems(profile: Profile) -> Iterator[str]:
    yield from _identity(profile)
    for measurement in profile.measurements:
        yield from _plausibility(measurement)
        yield from _distance(profile, measurement)
    for derived in DERIVED:
        yield from _consistency(profile, derived)
    yield from unlikely_pairs({m.field: m.value for m in profile.measurements})
    yield from _speech(profile)


def near_cutoffs(profile: Profile, measurement: Measurement) -> tuple[float, ...]:
    """Return the cut-offs of guidelines and rules that lie within 10 % of a measurement.

    Cut-offs are in the unit of the fact that rules read (multiples of the upper limit for `_x`).
    """
    name, value = measurement.fact(profile.sex)
    limits = {*measurement.marker.cutoffs[profile.sex], *rule_limits(profile.sex).get(name, ())}
    return tuple(
        sorted(cut for cut in limits if abs(value - cut) < CUTOFF_MARGIN * abs(cut) - _ROUNDING)
    )


def _identity(profile: Profile) -> Iterator[str]:
    if not 20 <= profile.age <= 95:
        yield f"age {profile.age} lies outside 20-95 years"
    for field in ("height", "weight", "bmi"):
        if all(m.field != field for m in profile.measurements):
            yield f"{field} is missing; every profile states it"
    if profile.age < T_SCORE_FROM and any(m.field == "tscore" for m in profile.measurements):
        yield f"tscore is read from {T_SCORE_FROM} years on; state a zscore at {profile.age}"
    for field in _repeated(m.field for m in profile.measurements):
        yield f"{field} is stated twice"
    for flag in _repeated(profile.flags()):
        yield f"the flag {flag} is set twice"
    for flag in sorted(set(profile.flags()) - FLAGS):
        yield f"there is no flag {flag!r}; see vocabulary.py"


def _speech(profile: Profile) -> Iterator[str]:
    for finding in (*profile.history, *profile.medication):
        word = third_person(finding.text)
        if word:
            yield f"{finding.text!r} says {word!r}; the person speaks and means himself or herself"


def _repeated(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def _plausibility(measurement: Measurement) -> Iterator[str]:
    marker, value = measurement.marker, measurement.value
    low, high = marker.plausible
    if not low <= value <= high:
        yield f"{marker.field} {value} lies outside the plausible {low}-{high} {marker.unit}"
    if abs(round(value, marker.decimals) - value) > _ROUNDING:
        yield f"{marker.field} {value} has more than the {marker.decimals} printed decimals"
    printed = measurement.reference
    if printed is None:
        return
    if printed.low is None and printed.high is None:
        yield f"{marker.field}: the reference range has no end"
    if printed.low is not None and printed.high is not None and printed.low >= printed.high:
        yield f"{marker.field}: the reference range {printed} is upside down"


def _consistency(profile: Profile, derived: Derived) -> Iterator[str]:
    values = {m.field: m.value for m in profile.measurements}
    if derived.field not in values:
        return
    missing = [field for field in derived.inputs if field not in values]
    if missing:
        yield f"{derived.field} is stated without {', '.join(missing)}, from which it follows"
        return
    expected = derived.compute(profile.sex, profile.age, values)
    decimals = MARKERS[derived.field].decimals
    tolerance = 0.5 * 10.0**-decimals + _ROUNDING
    if expected is not None and abs(values[derived.field] - expected) > tolerance:
        yield (
            f"{derived.field} is {values[derived.field]} but {derived.formula} gives "
            f"{expected:.{decimals}f}"
        )


def _distance(profile: Profile, measurement: Measurement) -> Iterator[str]:
    near = near_cutoffs(profile, measurement)
    if near and not measurement.meant:
        yield (
            f"{measurement.field} {measurement.value} lies within {CUTOFF_MARGIN:.0%} of the "
            f"cut-off {', '.join(map(str, near))}; move it or say why it is meant"
        )
    if measurement.meant and not near:
        yield f"{measurement.field} is marked as meant but lies near no cut-off; drop the mark"
