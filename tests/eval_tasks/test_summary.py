import itertools
import json
import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_tasks.extraction import Status
from eval_tasks.summary import ScoredRow, flat, nested, summarise, task_skill

NUMBERS = itertools.count()


def row(
    task_id: str,
    value: float,
    floor: float = 0.5,
    level: str = "pattern",
    status: Status = "ok",
    cluster: str | None = None,
) -> ScoredRow:
    types = {"ad": "anomaly_detection", "pm": "process_mining", "lo": "longevity"}
    return ScoredRow(
        task_id=task_id,
        task_type=types[task_id[:2]],
        level=level,
        cluster=str(next(NUMBERS)) if cluster is None else cluster,
        floor=floor,
        value=value,
        strict=value == 1,
        status=status,
    )


@pytest.mark.parametrize(
    ("mean", "floor", "expected"), [(1, 0.3, 1), (0.3, 0.3, 0), (0, 0.9, -1), (0.1, 0.2, -0.125)]
)
def test_task_skill(mean: float, floor: float, expected: float) -> None:
    assert task_skill(mean, floor) == pytest.approx(expected)


def test_a_task_with_a_perfect_floor_is_left_out_of_skill_but_not_of_scores() -> None:
    found = summarise([row("pm_0", 1, floor=1.0), row("pm_1", 0.75)])
    assert found.without_skill == ("pm_0",)
    assert found.overall.skill == 0.5
    assert found.overall.score == 0.875


def test_skill_is_averaged_over_tasks_then_over_cells() -> None:
    rows = [
        row("pm_0", 1, level="descriptive"),
        row("pm_0", 0.5, level="descriptive"),  # pm_0: mean 0.75, skill 0.5
        row("pm_1", 1, level="descriptive"),  # skill 1; the cell 0.75
        row("pm_14", 0.5, level="memory"),  # skill 0
    ]
    found = summarise(rows)
    assert found.overall.skill == pytest.approx(0.375)
    assert found.by_level["descriptive"].skill == pytest.approx(0.75)
    assert found.by_level["memory"].skill == 0
    assert found.by_type["process_mining"].skill == pytest.approx(0.375)
    assert found.overall.score == 0.75


def test_tasks_that_share_a_gold_rule_weigh_as_one() -> None:
    rows = [row(task, 1) for task in ("ad_59", "ad_62", "ad_63")] + [row("ad_5", 0.5)]
    assert summarise(rows).overall.skill == pytest.approx(0.5)
    assert summarise([row("ad_62", 1), row("ad_5", 0.5)]).overall.skill == pytest.approx(0.5)


def test_a_shared_rule_may_span_levels() -> None:
    rows = [
        row("ad_3", 1, level="descriptive"),
        row("ad_4", 0.5, level="descriptive"),
        row("ad_43", 1, level="pattern"),
    ]
    # In its cell ad_3 weighs half of ad_4.
    assert summarise(rows).by_level["descriptive"].skill == pytest.approx(1 / 3)
    assert summarise(rows).overall.skill == pytest.approx((1 / 3 + 1) / 2)


def test_every_status_is_counted() -> None:
    rows = [row("pm_0", 0, status="empty"), row("pm_0", 0, status="empty"), row("pm_0", 1)]
    found = summarise(rows)
    assert found.statuses["empty"] == 2
    assert found.statuses["ok"] == 1
    assert sum(found.statuses.values()) == found.overall.n == 3
    assert found.overall.score == pytest.approx(1 / 3)


def test_standard_errors_by_hand() -> None:
    found = summarise([row("pm_0", 1), row("pm_0", 0.5)])
    assert found.overall.score_stderr == pytest.approx(math.sqrt(0.125 / 2))
    assert found.skill_stderr == pytest.approx(2 * math.sqrt(0.125 / 2))
    assert math.isnan(summarise([row("pm_0", 1)]).skill_stderr)


def test_rows_of_a_patient_are_not_independent() -> None:
    # Patient a has 1 and 1, patient b 0 and 0: the deviations sum to 1 and -1, their squares to 2,
    # twice that over 16 is the variance.
    rows = [row("pm_0", value, cluster=name) for name, value in (("a", 1), ("a", 1), ("b", 0))]
    rows.append(row("pm_0", 0, cluster="b"))
    found = summarise(rows)
    assert found.overall.score_stderr == pytest.approx(0.5)
    assert found.skill_stderr == pytest.approx(1.0)
    assert found.overall.strict_stderr == pytest.approx(0.5)
    assert math.isnan(summarise(rows[:2]).overall.score_stderr)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=20))
def test_without_clusters_the_error_is_the_usual_one(values: list[float]) -> None:
    found = summarise([row("pm_0", value) for value in values])
    usual = statistics.stdev(values) / math.sqrt(len(values))
    assert found.overall.score_stderr == pytest.approx(usual, abs=1e-12)


@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from(["pm_0", "pm_1"]), st.floats(0, 1)),
        min_size=2,
        max_size=20,
    )
)
def test_every_row_twice_in_its_cluster_changes_no_error(
    drawn: list[tuple[str, str, float]],
) -> None:
    rows = [row(task, value, cluster=name) for name, task, value in drawn]
    once, twice = summarise(rows), summarise(rows + rows)
    assert once.overall.score_stderr == pytest.approx(
        twice.overall.score_stderr, nan_ok=True, abs=1e-12
    )


def test_strict_shares_and_parse_failures_are_grouped() -> None:
    rows = [row("pm_0", 1), row("pm_0", 0.9), row("ad_4", 0, status="empty"), row("ad_4", 1)]
    values = flat(summarise(rows))
    assert (values["strict"], values["strict_process_mining"]) == (0.5, 0.5)
    assert (values["parse_failures"], values["parse_failures_anomaly_detection"]) == (0.25, 0.5)
    assert values["parse_failures_process_mining"] == 0
    assert math.isnan(values["strict_longevity"])


@given(
    st.lists(
        st.tuples(
            st.sampled_from([f"ad_{n}" for n in range(3, 65)]),
            st.sampled_from(["descriptive", "memory", "pattern"]),
        ),
        min_size=1,
    )
)
def test_gold_has_skill_exactly_1_and_the_floor_exactly_0(tasks: list[tuple[str, str]]) -> None:
    assert summarise([row(t, 1, 0.375, level) for t, level in tasks]).overall.skill == 1
    assert summarise([row(t, 0.375, 0.375, level) for t, level in tasks]).overall.skill == 0


def test_the_flat_form_always_has_the_same_names() -> None:
    some = flat(summarise([row("lo_0", 1, level="")]))
    assert list(some) == list(flat(summarise([])))
    assert math.isnan(some["score_process_mining"])
    assert some["n_longevity"] == 1


def test_the_nested_form_is_json_without_nan() -> None:
    report = nested(flat(summarise([row("ad_5", 0.75), row("ad_6", 0, status="refused")])))
    text = json.dumps(report, allow_nan=False)
    assert report["score"] == 0.375
    assert report["by_type"]["anomaly_detection"]["n"] == 2
    assert report["by_type"]["longevity"]["score"] is None
    assert report["statuses"]["refused"] == 1
    assert json.loads(text) == report
