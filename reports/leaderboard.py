"""The leaderboard: submitted results on one page, one ranking for each setting.

Results are ranked against each other only where everything but the model is equal: version and
content of the rows, config, prompts, horizon, tools, number of rows. A rank is a range: two results
whose intervals overlap are not told apart. Of several results of one model only the last is ranked, and
the others stand beside it with their days.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import pyarrow.parquet as pq

from eval_tasks.forms import TEST_SPLIT
from eval_tasks.question import LONGEVITY
from eval_tasks.release import EVALUATED_CONFIGS, Release, downloaded
from eval_tasks.summary import TASK_TYPES
from reports.entries import Entry, LeftOut, read_entries
from reports.notes import Measured, Notes
from reports.page import page

ALL_ROWS = "all"
"""What stands for the task type where a ranking is over all rows of a config."""
Standing = Literal["ranked", "reference", "earlier", "same_day"]
"""What a result is on the page: in the ranking, a reference model's, or one of several of its model in
its setting that is not ranked, as a later one is or as several are of the last day."""
_STYLES = ("structured", "timelined", "agent", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of a release, to check entries on it.

    Attributes:
        version: Its version.
        content: Start of the content hash of its rows.
        rows: Number of rows of `test` by config.
        reviewed: Whether physicians have reviewed all longevity profiles.
    """

    version: str
    content: str
    rows: Mapping[str, int]
    reviewed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Everything that must be equal for results to be ranked against each other."""

    version: str
    content: str
    config: str
    part: str
    prompt: str | None
    horizon: str | None
    tools: str
    prompts: int
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A result in a ranking.

    Attributes:
        entry: What was submitted.
        skill: Skill over the rows of the ranking.
        score: Raw score over them.
        standing: Whether it is ranked, and if not, why.
        ranks: Best and worst rank that the intervals allow; None unless it is ranked.
    """

    entry: Entry
    skill: Measured
    score: Measured
    standing: Standing
    ranks: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A ranking; behind it reference models and what is not the last result of its model.

    Attributes:
        setting: What its results share.
        headline: Whether its numbers may stand as headline numbers.
        lines: The results, best first.
    """

    setting: Setting
    headline: bool
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """All rankings, and what is in none of them.

    Attributes:
        boards: The rankings, the newest version first.
        left_out: What was left out, with the reason.
        checked: Versions whose entries were compared with the release itself.
    """

    boards: Sequence[Board]
    left_out: Sequence[LeftOut]
    checked: Sequence[str] = field(default_factory=tuple)

    @property
    def results(self) -> int:
        """Number of entries that are ranked or shown beside a ranking."""
        return len({(line.entry.file, line.entry.config) for b in self.boards for line in b.lines})


def known_release(release: Release) -> Known:
    """Return what is known of a release.

    Raises:
        ReleaseError: It cannot be read.
    """
    parts = release.parts.get(LONGEVITY, {})
    flags: list[bool] = []
    if TEST_SPLIT in parts:
        folder = Path(downloaded(release, [LONGEVITY]).repo)
        for name in parts[TEST_SPLIT].files:
            read = pq.read_table(folder / name, columns=["physician_reviewed"])
            flags += read.column(0).to_pylist()
    return Known(
        version=release.version,
        content=release.content_sha256[:16],
        rows={config: splits.get(TEST_SPLIT, 0) for config, splits in release.rows.items()},
        reviewed=bool(flags) and all(flags),
    )


def leaderboard(folder: Path, repository: str, known: Known | None = None) -> Leaderboard:
    """Return the leaderboard of a folder of results.

    Args:
        folder: Holds `.eval_results/*.yaml` of models, as `owner/name/.eval_results/`.
        repository: The benchmark's dataset repository.
        known: The release that entries on its version are checked against. Without it longevity
            counts as not reviewed.

    Raises:
        ReportError: The folder holds no results.
    """
    entries, left_out = read_entries(folder, repository)
    problems = [(entry, _problem(entry, known)) for entry in entries]
    left_out += [_left(entry, problem) for entry, problem in problems if problem is not None]
    fitting = [entry for entry, problem in problems if problem is None]
    boards = (_board(setting, lines, known) for setting, lines in _grouped(fitting).items())
    return Leaderboard(
        boards=sorted(boards, key=_place),
        left_out=sorted(left_out, key=lambda left: left.file),
        checked=() if known is None else (known.version,),
    )


def write_leaderboard(made: Leaderboard, path: Path) -> None:
    """Write the page; it needs neither server nor network."""
    lows = [0.0, *(_low(line.skill) for board in made.boards for line in board.lines)]
    data = {
        "boards": [_board_data(board) for board in made.boards],
        "left_out": [asdict(left) for left in made.left_out],
        "checked": list(made.checked),
        "least": max(-1.0, math.floor(4 * min(v for v in lows if v > -math.inf)) / 4),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page("leaderboard.html", {"leaderboard": data}), encoding="utf-8")


def _problem(entry: Entry, known: Known | None) -> str | None:
    """Return why an entry is not on the release of its version."""
    notes = entry.notes
    if known is None or notes.version != known.version:
        return None
    if notes.content != known.content:
        return f"is on other rows than those of version {known.version}"
    rows = known.rows.get(entry.config, 0)
    if notes.n > rows or (notes.horizon in (None, "30d") and notes.n != rows):
        return f"is on {notes.n} rows, but {entry.config} has {rows}"
    return None


def _standings(entries: Iterable[Entry]) -> Iterator[tuple[Entry, Standing]]:
    """Yield entries with what they are on the page.

    Of several results of a model in one setting the last is ranked, by the day that each states; of
    several of that day none. No clock tells whether a day is true, so that no result may take another
    from the page: all are shown.
    """
    same: defaultdict[tuple[str, Setting], list[Entry]] = defaultdict(list)
    for entry in entries:
        same[entry.notes.model.lower(), _setting(entry, ALL_ROWS, entry.notes.n)].append(entry)
    for found in same.values():
        last = max(entry.day for entry in found)
        alone = sum(entry.day == last for entry in found) == 1
        for entry in found:
            if entry.day < last:
                yield entry, "earlier"
            elif not alone:
                yield entry, "same_day"
            else:
                yield entry, "reference" if entry.notes.reference == "yes" else "ranked"


def _left(entry: Entry, reason: str) -> LeftOut:
    return LeftOut(file=entry.file, reason=reason)


def _setting(entry: Entry, part: str, n: int) -> Setting:
    notes = entry.notes
    return Setting(
        version=notes.version,
        content=notes.content,
        config=entry.config,
        part=part,
        prompt=notes.prompt,
        horizon=notes.horizon,
        tools=notes.tools,
        prompts=notes.prompts,
        n=n,
    )


def _grouped(entries: Iterable[Entry]) -> dict[Setting, list[Line]]:
    boards: defaultdict[Setting, list[Line]] = defaultdict(list)
    for entry, standing in _standings(entries):
        whole: Notes = entry.notes
        lines = {ALL_ROWS: whole, **whole.parts}
        for part, found in lines.items():
            if found.skill is not None:
                boards[_setting(entry, part, found.n)].append(
                    Line(entry=entry, skill=found.skill, score=found.score, standing=standing)
                )
    return boards


def _board(setting: Setting, lines: Sequence[Line], known: Known | None) -> Board:
    best_first = sorted(lines, key=lambda line: (-line.skill.value, line.entry.notes.model))
    ranked = [line for line in best_first if line.standing == "ranked"]
    beside = [line for line in best_first if line.standing != "ranked"]
    beside.sort(key=lambda line: line.standing != "reference")
    reviewed = known is not None and known.version == setting.version and known.reviewed
    return Board(
        setting=setting,
        headline=setting.config != LONGEVITY or reviewed,
        lines=[*_with_ranks(ranked), *beside],
    )


def _with_ranks(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield results with the ranks that their intervals allow, whatever the order of equal ones.

    A result is surely below those whose whole interval lies above its own. One without an interval
    is told apart from none.
    """
    for line in lines:
        better = sum(_low(other.skill) > _high(line.skill) for other in lines)
        worse = sum(_high(other.skill) < _low(line.skill) for other in lines)
        yield replace(line, ranks=(better + 1, len(lines) - worse))


def _low(measured: Measured) -> float:
    return -math.inf if measured.low is None else measured.low


def _high(measured: Measured) -> float:
    return math.inf if measured.high is None else measured.high


def _place(board: Board) -> tuple[object, ...]:
    """Return where a ranking stands: newest version, headline first, in the order of reports."""
    setting = board.setting
    return (
        [-int(number) for number in setting.version.split(".")],
        not board.headline,
        EVALUATED_CONFIGS.index(setting.config),
        (ALL_ROWS, *TASK_TYPES).index(setting.part),
        _STYLES.index(setting.prompt),
        -int((setting.horizon or "0d")[:-1]),
        setting.tools != "none",
        (setting.tools, -setting.prompts, setting.content, setting.n),
    )


def _board_data(board: Board) -> dict[str, Any]:
    first = board.lines[0].entry.notes
    return {
        **asdict(board.setting),
        "clusters": first.clusters,
        "headline": board.headline,
        "lines": [_line_data(line, board.setting.part) for line in board.lines],
    }


def _line_data(line: Line, part: str) -> dict[str, Any]:
    notes = line.entry.notes
    statuses = {name: count for name, count in notes.statuses.items() if count}
    return {
        "model": notes.model,
        "standing": line.standing,
        "ranks": line.ranks,
        "skill": [line.skill.value, line.skill.low, line.skill.high],
        "score": [line.score.value, line.score.low, line.score.high],
        "statuses": statuses if part == ALL_ROWS else None,
        "n": notes.n,
        "clusters": notes.clusters,
        "day": line.entry.day.isoformat(),
        "url": line.entry.url,
    }
