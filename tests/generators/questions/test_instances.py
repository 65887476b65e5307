"""From declaration to instance: parameters, predictions, ensembles, what cannot be asked."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from generators.questions.instances import Instance, candidates, first_instance, pose
from generators.questions.registry import TASKS
from generators.questions.task import NearTie, NotApplicable, Prediction, Recorded, Task, TaskError
from generators.streams import Stream
from generators.trace import Added, PatientProfile, Trace, Truth
from tests.generators.questions.hand_made import at, fault, flat, meal, reading

PROFILE = PatientProfile(age_group="adult", carbohydrate_ratio=10.0)


@dataclass
class Drift:
    """A course whose glucose after a cut is 100, plus the member's number, plus 50 per meal."""

    trace: Trace
    asked: list[Added | None] = field(default_factory=list)

    def resume(
        self,
        cut: int,
        *,
        until: int,
        added: Added | None = None,
        member: int = 0,
        start: int = 0,
    ) -> Trace:
        self.asked.append(added)
        cgm = self.trace.cgm.copy()
        cgm[cut // 5 :] = 100 + member + 50 * len(added.carbs if added else ())
        return replace(self.trace, cgm=cgm).between(start, until)


def simulated(trace: Trace) -> Trace:
    n = len(trace)
    truth = Truth(glucose=trace.cgm, sensor=trace.cgm, insulin=np.zeros(n, dtype=np.int32))
    return replace(trace, truth=truth)


COURSE = Drift(simulated(flat(80, days=38, profile=PROFILE)))


def asked(task_id: str, course: Drift | Recorded = COURSE, seed: int = 1) -> Instance:
    instance = first_instance(TASKS[task_id], course, seed)
    assert isinstance(instance, Instance)
    return instance


def refused(task_id: str, course: Drift | Recorded) -> str:
    instance = first_instance(TASKS[task_id], course, 1)
    assert isinstance(instance, NotApplicable)
    return instance.reason


def test_same_key_same_instance_and_another_seed_another_one() -> None:
    assert asked("pm_14").id == asked("pm_14").id
    assert asked("pm_14").question == asked("pm_14").question
    assert len({asked("pm_14", seed=seed).id for seed in range(8)}) > 4


def test_process_mining_shows_thirty_days() -> None:
    assert len(asked("pm_0").shown) == 30 * 288
    assert asked("pm_0").hypothetical is None
    assert asked("pm_0").spread is None


def test_prediction_shows_the_record_up_to_the_cut_and_answers_from_what_follows() -> None:
    instance = asked("pd_1")
    assert 28 * 288 <= len(instance.shown) <= 30 * 288
    assert instance.shown.minutes == instance.given["cut"]
    assert set(instance.shown.cgm.tolist()) == {80}
    assert instance.answer == 100
    assert instance.spread == pytest.approx(np.std(range(1, 21), ddof=1), abs=5e-4)


def test_hypothetical_states_what_is_added() -> None:
    course = Drift(COURSE.trace)
    instance = asked("pd_6", course)
    assert instance.answer == 150
    added = course.asked[0]
    assert added is not None
    assert added.carbs[0].grams == added.carbs[0].eaten == instance.given["grams"]
    assert added.boluses[0].units == instance.given["bolus"]
    text = instance.hypothetical or ""
    assert f"{instance.given['grams']} g" in text
    assert f"{instance.given['bolus']} U" in text


def test_breakfast_is_not_added_to_one_just_eaten() -> None:
    trace = COURSE.trace
    for day in range(1, 39):
        for clock in ("03:00", "06:30"):
            trace = meal(trace, at(day, clock), "breakfast")
    assert "eaten in the 4 h before" in refused("pd_6", Drift(trace))


def test_breakfast_needs_the_ratio() -> None:
    trace = replace(COURSE.trace, profile=PatientProfile())
    assert "ratio is unknown" in refused("pd_6", Drift(trace))


def test_recordings_answer_what_happened_and_nothing_hypothetical() -> None:
    recorded = Recorded(trace=flat(90, days=38))
    instance = asked("pd_1", recorded)
    assert instance.answer == 90
    assert instance.spread is None
    assert "hypothetical" in refused("pd_6", recorded)
    with pytest.raises(TaskError, match="can only be read on"):
        recorded.resume(0, until=5, added=Added())


def test_short_recording_is_refused() -> None:
    assert "too short" in refused("pd_1", Recorded(trace=flat(days=28)))


def test_nothing_after_the_cut_is_shown_or_told() -> None:
    """Whatever follows the cut may change only the answer."""
    instance = asked("pd_1")
    course = Drift(COURSE.trace)
    first_day, cut = int(instance.given["first_day"]), int(instance.given["cut"])
    end = (first_day - 1) * 288 + cut // 5
    changed = course.trace.cgm.copy()
    changed[end:] = 300
    course.trace = replace(course.trace, cgm=changed)
    other = asked("pd_1", course)
    for name in ("question", "instruction", "rationale", "hypothetical", "id"):
        assert getattr(other, name) == getattr(instance, name)
    assert np.array_equal(other.shown.cgm, instance.shown.cgm)
    assert all(event.minute < cut for event in other.shown.carbs)


def test_alternatives_are_simulated_alike_and_compared() -> None:
    """pd_15 asks for two courses of every day: without and with the snack."""
    course = Drift(COURSE.trace)
    instance = asked("pd_15", course)
    without, with_snack = course.asked[:2]
    assert without == Added()
    assert with_snack is not None
    assert with_snack.carbs[0].grams == instance.given["grams"]
    assert len(course.asked) % 2 == 0
    assert instance.answer == "no"
    assert instance.agreement == 1.0


def numbers(most_spread: float | None) -> Task:
    """Members read 101 to 120 mg/dL."""
    prediction = Prediction(horizon=30, most_spread=most_spread)
    return replace(TASKS["pd_1"], prediction=prediction)


@pytest.mark.parametrize(("most", "applicable"), [(None, True), (5.92, True), (5.91, False)])
def test_number_is_asked_only_where_the_ensemble_is_narrow(
    most: float | None, applicable: bool
) -> None:
    task = numbers(most)
    given = next(candidates(task, Stream(1, "x")))
    instance = pose(task, COURSE, given, Stream(1, "y"))
    assert isinstance(instance, Instance) == applicable
    if isinstance(instance, Instance):
        assert instance.spread == 5.916


def test_near_tie_is_not_asked_but_counts_in_the_ensemble() -> None:
    def answer(trace: Trace, *, cut: int, **_: object) -> str | NotApplicable:
        return NearTie("close", "yes") if trace.cgm[cut // 5] > 100 else "yes"

    task = replace(yes_no(0.85), answer=answer)
    given = next(candidates(task, Stream(1, "x")))
    instance = pose(task, COURSE, given, Stream(1, "y"))
    assert isinstance(instance, Instance)
    assert instance.agreement == 1.0
    tied = replace(task, answer=lambda *_, **__: NearTie("close", "yes"))
    assert isinstance(pose(tied, COURSE, given, Stream(1, "y")), NotApplicable)


def test_rare_option_is_sought_for_every_patient() -> None:
    """One cut in twenty says yes."""

    def answer(_: Trace, *, cut: int, **__: object) -> str:
        return "yes" if cut // 5 % 20 == 0 else "no"

    task = replace(yes_no(0.85), answer=answer, rare=("yes",))
    found = [first_instance(task, COURSE, seed) for seed in range(10)]
    assert [i.answer for i in found if isinstance(i, Instance)] == ["yes"] * 10


def test_a_recording_is_asked_about_every_option() -> None:
    """Without other days of the same person no option is rare."""
    task = replace(
        yes_no(0.0), rare=("yes",), answer=lambda *_, cut, **__: "yes" if cut // 5 % 2 else "no"
    )
    course = Recorded(trace=flat(days=38))
    found = [first_instance(task, course, seed) for seed in range(20)]
    assert {i.answer for i in found if isinstance(i, Instance)} == {"yes", "no"}


def test_a_fixed_parameter_is_not_varied_in_search_of_an_answer() -> None:
    """A large cut is easy to find, a small number of grams is not sought in its favour."""

    def answer(_: Trace, *, cut: int, grams: int, **__: object) -> str:
        return "yes" if grams > 40 or cut % 100 == 0 else "no"

    draw = {"cut": TASKS["pd_1"].draw["cut"], "first_day": (1,), "grams": tuple(range(10, 51, 10))}
    task = replace(yes_no(0.85), answer=answer, draw=draw, rare=("yes",), fixed=("grams",))
    found = [first_instance(task, COURSE, seed) for seed in range(40)]
    assert all(isinstance(i, Instance) and i.answer == "yes" for i in found)
    grams = {i.given["grams"] for i in found if isinstance(i, Instance)}
    assert grams == {10, 20, 30, 40, 50}
    sets = [tuple(sorted(g.items())) for g in candidates(task, Stream(1, "x"))]
    assert len(sets) == len(set(sets)) == 5 * len(draw["cut"])
    assert [g["grams"] for g in map(dict, sets[: len(draw["cut"])])] == [
        dict(sets[0])["grams"]
    ] * len(draw["cut"])


def test_another_answer_than_the_sought_one_costs_no_ensemble() -> None:
    course = Drift(COURSE.trace)
    given = next(candidates(yes_no(0.25), Stream(1, "x")))
    refusal = pose(yes_no(0.25), course, given, Stream(1, "y"), sought=("yes",))
    assert isinstance(refusal, NotApplicable)
    assert len(course.asked) == 1


def yes_no(least_agreement: float) -> Task:
    """Is glucose after the cut above 105? Members 6 to 20 say yes, the others no."""
    return replace(
        TASKS["pd_1"],
        answer_type="category",
        unit=None,
        options=("yes", "no"),
        answer=lambda trace, *, cut, **_: "yes" if trace.cgm[cut // 5] > 105 else "no",
        prediction=Prediction(horizon=30, least_agreement=least_agreement),
    )


@pytest.mark.parametrize(("least", "applicable"), [(0.25, True), (0.26, False)])
def test_category_is_asked_only_where_the_ensemble_agrees(least: float, applicable: bool) -> None:
    task = yes_no(least)
    given = next(candidates(task, Stream(1, "x")))
    instance = pose(task, COURSE, given, Stream(1, "y"))
    assert isinstance(instance, Instance) == applicable
    if isinstance(instance, Instance):
        assert instance.agreement == 0.25
        assert instance.spread is None


def test_answers_of_a_category_are_spread_over_its_options() -> None:
    """Each option is sought; one that never occurs does not stop the task."""
    trace = COURSE.trace
    for day in range(1, 31):
        for kind, clock, rise in (
            ("breakfast", "07:00", 40 if day % 9 else 90),
            ("lunch", "12:00", 60),
            ("dinner", "18:00", 50),
        ):
            trace = meal(trace, at(day, clock), kind)  # type: ignore[arg-type]
            trace = reading(trace, at(day, clock) + 60, 80 + rise)
    answers = [asked("pm_23", Drift(trace), seed=seed).answer for seed in range(30)]
    assert answers.count("breakfast") > 4
    assert "dinner" not in answers


@pytest.mark.parametrize(
    ("age_group", "years", "voices"),
    [
        ("child", None, {"parent", "clinician"}),
        ("adolescent", 17, {"patient", "parent", "clinician"}),
        ("adolescent", 18, {"patient", "clinician"}),
        ("adult", 40, {"patient", "clinician"}),
        ("adult", None, {"patient", "clinician"}),
    ],
)
def test_voice_fits_the_patient(age_group: str, years: int | None, voices: set[str]) -> None:
    """Nobody of 18 years or more is somebody's child."""
    profile = PatientProfile(age_group=age_group, age_years=years)  # type: ignore[arg-type]
    course = Drift(replace(COURSE.trace, profile=profile))
    told = {wording.text: wording.voice for wording in TASKS["pm_0"].wordings}
    heard = {told[asked("pm_0", course, seed=seed).question] for seed in range(20)}
    assert heard == voices


def test_ids_are_readable_and_hold_the_parameters() -> None:
    instance = asked("pm_14")
    assert instance.id.startswith("pm_14/hand_made/end=")
    assert f"week={instance.given['week']}" in instance.id


def test_a_list_is_empty_for_few_patients_only() -> None:
    """Of most patients nothing is asked in vain, even where most parameters would find nothing."""
    spiked = fault(simulated(flat(100, days=38)), "negative_spike", 288 * 3, 288 * 3)
    instances = [first_instance(TASKS["ad_14"], Drift(spiked), seed) for seed in range(60)]
    answers = [instance.answer for instance in instances if isinstance(instance, Instance)]
    assert len(answers) == 60
    assert 0 < answers.count([]) < 15
    assert all(answer in ([], [{"start": 4320, "end": 4321}]) for answer in answers)


def test_nothing_is_asked_about_where_there_is_nothing_at_all() -> None:
    instances = [first_instance(TASKS["ad_3"], COURSE, seed) for seed in range(60)]
    reasons = {i.reason for i in instances if isinstance(i, NotApplicable)}
    assert reasons == {"there is nothing of the kind to find"}
    assert 45 < sum(isinstance(i, NotApplicable) for i in instances) < 60
    assert refused("ad_61", COURSE) == "no fault of the kind in the record"


def test_meals_with_guessed_names_are_asked_about_by_their_time() -> None:
    named = meal(flat(90, days=38), at(5, "12:10"), "lunch")
    guess = replace(named, carbs=tuple(replace(event, inferred=True) for event in named.carbs))
    instance = asked("pm_21", Recorded(trace=guess))
    assert instance.parameters == {"day": 5, "around": 720, "inferred_meals": ["lunch"]}
    assert "12:00" in instance.question
    assert "lunch" not in instance.question + instance.instruction
    assert asked("pm_21", Recorded(trace=named)).parameters == {"day": 5}
    assert "no entry of the day" in refused("pm_26", Recorded(trace=guess))
    assert "not exactly one breakfast" in refused("pm_26", Recorded(trace=named))
