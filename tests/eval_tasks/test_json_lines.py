import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from eval_tasks.json_lines import json_lines, without_halves


def test_only_line_feeds_part_lines(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes('{"a": "b\u2028c\u2029d\x85e\x0cf"}\r\n\n{"cut'.encode())
    assert json_lines(path) == ['{"a": "b\u2028c\u2029d\x85e\x0cf"}\r\n', "\n", '{"cut']


@given(st.text(st.sampled_from('\ud83d\ude00\\"ud8') | st.characters(), max_size=30))
def test_whole_characters_stay_and_halves_are_replaced(text: str) -> None:
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert json.loads(without_halves(json.dumps(text))) == whole
