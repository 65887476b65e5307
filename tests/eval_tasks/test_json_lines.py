from pathlib import Path

from eval_tasks.json_lines import json_lines


def test_only_line_feeds_part_lines(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes('{"a": "b\u2028c\u2029d\x85e\x0cf"}\r\n\n{"cut'.encode())
    assert json_lines(path) == ['{"a": "b\u2028c\u2029d\x85e\x0cf"}\r\n', "\n", '{"cut']
