import ast
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.json_output import json_text

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_whatever_the_figures_it_is_json(value: Any) -> None:
    json.loads(json_text(value), parse_constant=pytest.fail)


def test_only_what_is_no_number_becomes_null() -> None:
    given = {"a": [1.5, float("nan")], "b": (float("-inf"), "NaN"), "c": {"d": True}}
    assert json.loads(json_text(given)) == {"a": [1.5, None], "b": [None, "NaN"], "c": {"d": True}}


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(SCRIPTS.glob("*.py")) if not path.stem.endswith("_speed")],
    ids=lambda path: path.stem,
)
def test_no_script_prints_json_in_another_way(path: Path) -> None:
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    printed = [call for call in calls if getattr(call.func, "id", "") == "print"]
    inside = [ast.unparse(argument) for call in printed for argument in call.args]
    assert not [text for text in inside if "json.dumps" in text]
