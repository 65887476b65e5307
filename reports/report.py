"""Puts a report together: one folder with Markdown, CSV, figures and the explorer page."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from eval_tasks.privacy import is_private
from eval_tasks.question import LONGEVITY
from eval_tasks.release import Release
from eval_tasks.spreadsheets import no_formula
from reports import comparisons, figures, longevity, tables
from reports.answers import RIGHT, Answers, read_answers
from reports.bootstrap import REPLICATES
from reports.coverage import Fewer, fewer_rows
from reports.errors import ReportError
from reports.explorer import write_explorer
from reports.judgements import REASONING, files_below
from reports.longevity import Verdicts, read_verdicts
from reports.markdown import Section, literal
from reports.measures import OVERALL
from reports.results import default_form, read_results
from reports.trust import Refused, Trusting, judge_trust

README = "README.md"
EXPLORER = "explorer.html"
_MARKER = ".healthloopqa-report"
"""Marks a folder that may be written anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a report is to be on.

    Attributes:
        sources: Folders with lighteval's output and what judges and agents left beside it.
        release: What was asked; a folder.
        output: Folder to write.
        prices: By model, what a million tokens cost that are read and written.
        explorer: Whether to write the page on which single answers can be looked at.
        trusting: Whether a judge may be believed.
    """

    sources: Sequence[Path]
    release: Release
    output: Path
    prices: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    explorer: bool = True
    trusting: Trusting = judge_trust


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a report came to.

    Attributes:
        folder: Where it lies.
        systems: What it is on.
        answers: Number of answers.
        verdicts: Number of verdicts that were believed.
        refused: Number of verdicts that were not.
        fewer: Systems with fewer rows than the split has.
        scores: Score and skill over all that each system answered of each portion.
    """

    folder: Path
    systems: Sequence[str]
    answers: int
    verdicts: int
    refused: int
    fewer: Sequence[Fewer]
    scores: pd.DataFrame


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What there is to report on.

    Attributes:
        answers: Answers, row by row; may be none.
        results: Scores that runs without answers state, as `results.read_results` says.
        verdicts: Verdicts on advice.
        reasons: Files of the judge of reasoning.
    """

    answers: Answers
    results: pd.DataFrame
    verdicts: Verdicts
    reasons: Sequence[Path]

    @property
    def systems(self) -> Sequence[str]:
        """What it is on."""
        tables = (self.answers.rows, self.results, self.verdicts.rows)
        named = {name for table in tables if len(table) for name in table["system"].unique()}
        return sorted(named | {name for one in self.verdicts.refused for name in one.systems})

    @property
    def fewer(self) -> Sequence[Fewer]:
        """Systems with fewer rows than the split has."""
        return fewer_rows(self.answers, self.results, self.verdicts.rows)


def write_report(request: Request) -> Written:
    """Write a report; an earlier one in the same folder is replaced.

    Raises:
        ReportError: There is nothing to report on, it does not belong together, or the folder holds
            something else.
    """
    found = _found(request)
    answers, verdicts = found.answers, found.verdicts
    sections = list(_sections(found, request.prices))
    folder = _fresh(request.output)
    for section in sections:
        _write_csv(section.table, folder / f"{section.name}.csv")
        if section.figure:
            _FIGURES[section.name](section.table, folder / section.figure)
    if request.explorer and len(answers.rows):
        write_explorer(answers, folder / EXPLORER)
    (folder / README).write_text(_document(request, found, sections), encoding="utf-8")
    return Written(
        folder=folder,
        systems=found.systems,
        answers=len(answers.rows),
        verdicts=len(verdicts.rows),
        refused=sum(one.verdicts for one in (*answers.refused, *verdicts.refused)),
        fewer=found.fewer,
        scores=_headline({section.name: section.table for section in sections}),
    )


def _found(request: Request) -> Found:
    answers = read_answers(request.sources, request.release, request.trusting)
    found = Found(
        answers=answers,
        results=read_results(request.sources, answers),
        verdicts=read_verdicts(request.sources, answers, request.trusting),
        reasons=files_below(request.sources, REASONING),
    )
    if not found.systems:
        named = ", ".join(map(str, request.sources))
        raise ReportError(
            f"{named}: no details of answers, results or verdicts there; evaluate with lighteval's "
            "--save-details"
        )
    return found


def _headline(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return score and skill over all answers, computed where answers are at hand, else as stated."""
    parts = []
    if "scores" in tables:
        parts.append(tables["scores"][tables["scores"]["group"] == OVERALL])
    if "results" in tables:
        parts.append(default_form(tables["results"])[_STATED])
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


_STATED = ["portion", "split", "system", "group", "n", "score", "skill"]


_FIGURES: Mapping[str, Callable[[pd.DataFrame, Path], None]] = {
    "distributions": figures.distributions,
    "complexity": figures.complexity,
    "prototypes": figures.prototypes,
    "requirements": figures.requirements,
}


def _fresh(output: Path) -> Path:
    """Return an empty folder at a path that is free or holds an earlier report.

    Raises:
        ReportError: It holds something else.
    """
    free = not output.exists() or (output.is_dir() and not any(output.iterdir()))
    if not free and not (output / _MARKER).is_file():
        raise ReportError(f"{output} holds something that is no report; give another --output")
    if output.exists():
        shutil.rmtree(output)
    output.mkdir(parents=True)
    (output / _MARKER).touch()
    return output


def _write_csv(table: pd.DataFrame, path: Path) -> None:
    texts = {
        str(name): column.map(lambda value: no_formula(value) if isinstance(value, str) else value)
        for name, column in table.items()
        if not pd.api.types.is_numeric_dtype(column)
    }
    table.assign(**texts).to_csv(path, index=False, lineterminator="\n")


def _document(request: Request, found: Found, sections: Sequence[Section]) -> str:
    release, answers = request.release, found.answers
    private = (
        "**The questions are from a private folder: this report is not to be passed on.**"
        if is_private(release)
        else ""
    )
    explorer = f"Single answers, with the record that they are on: [{EXPLORER}]({EXPLORER})."
    missing = [f"- {text}" for text in _left_out(found)]
    parts = [
        f"# Report on HealthLoopQA {release.version}",
        private,
        f"Rows: content hash `{release.content_sha256[:16]}`. {len(answers.rows)} answers; "
        f"the report is on {literal(', '.join(found.systems))}.",
        explorer if request.explorer and len(answers.rows) else "",
        _shortage(found.fewer),
        _METHODS,
        "\n".join(["What is left out, and why:", "", *missing]) if missing else "",
        *_refusals("Nothing on the reasoning", answers.refused),
        *_refusals("No requirement scores", found.verdicts.refused),
        *(section.markdown() for section in sections),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _shortage(fewer: Sequence[Fewer]) -> str:
    """Return which systems do not have all rows of a split, if any."""
    if not fewer:
        return ""
    lines = [f"- {literal(one.system)}: {literal(str(one))}" for one in fewer]
    return "\n".join([_FEWER, "", *lines])


_FEWER = (
    "**Not over all rows.** Everything on these systems is over the rows that are there, and not "
    "comparable with what is over a whole split:"
)


def _left_out(found: Found) -> Iterator[str]:
    """Yield the parts that a report could have and this one has not."""
    answers = found.answers
    if not len(answers.rows):
        yield (
            "Everything on single answers (scores with intervals, ability paths, complexity, "
            "prototypes, forms of the prompt, statuses, cost, comparisons, explorer): there are no "
            "details of answers; evaluate with `--save-details`."
        )
    elif len(comparisons.systems_of(answers)) < 2:
        yield "Comparisons: there are answers of one system only."
    bare = set(found.results["system"]) - set(answers.rows["system"]) if len(found.results) else ()
    if len(answers.rows) and bare:
        yield (
            f"{', '.join(map(literal, sorted(bare)))}: there are no details of answers, only what the "
            "results state."
        )
    yield from map(_told, tables.gaps(answers) if len(answers.rows) else ())
    unrefused = len(answers.rows) and not answers.refused
    if unrefused and not answers.rows["outcome"].notna().any():
        yield "Right by luck, and faults in the reasoning: no reasoning was judged."
    if found.reasons and not len(answers.rows):
        yield "What the judge of reasoning found: the answers that it judged are not there."
    yield from _left_out_of_longevity(found)


def _told(gap: tables.Gap) -> str:
    lacking = [f"{n:,} of {of:,} rows of {config}" for config, (n, of) in gap.lacking.items()]
    return (
        f"{literal(gap.system)} in `{gap.portion}` ({gap.split}), scores and comparisons: it answered "
        f"{' and '.join(lacking)}."
    )


def _left_out_of_longevity(found: Found) -> Iterator[str]:
    if found.verdicts.refused or LONGEVITY not in found.answers.release.rows:
        return
    if not len(found.verdicts.rows):
        yield "The five requirements of advice: there are no verdicts."
    elif not len(found.answers.rows):
        yield (
            "Right yes or no, and with or without retrieved passages: verdicts alone do not tell; "
            "systems are named after the folders of their verdicts."
        )


def _refusals(what: str, refused: Sequence[Refused]) -> Iterator[str]:
    for one in refused:
        yield (
            f"**{what} of {literal(', '.join(one.systems))} by the judge "
            f"{literal(one.trust.judge)}**: it is not shown to get canaries right, and its "
            f"{one.verdicts} verdicts are not counted anywhere ({literal('; '.join(one.trust.reasons))})."
        )


_METHODS = (
    "Scores are raw scores in [0, 1] over all rows that a system was asked (`n`), what could not be "
    "read counting 0; skill is 0 for the best trivial model and 1 for a perfect one. Intervals are "
    f"95 %, from {REPLICATES} draws of whole patients (of longevity: whole items, however many cases "
    "each has); "
    "where all of them give the same value, as in a perfect score, they are the bounds of Clopper and "
    "Pearson for that many observations, on the safe side and wider than those of a system with one "
    "mistake. An answer is right from a raw score of "
    f"{RIGHT}. Of p-values, `p` takes rows as independent, which those of a patient or item are not, "
    "and is mostly too small; `p clusters` takes whole patients or items and is the one to read; "
    "`p bonferroni` is the latter times the number of tests in its table. A large p does not show "
    "that systems are alike: how far they may differ stands in the interval of the difference. "
    "Intervals and tests are over patients like these and one run of each model; how much another "
    "run of it would differ they do not say."
)


def _sections(found: Found, prices: Mapping[str, tuple[float, float]]) -> Iterator[Section]:
    answers = found.answers
    if len(answers.rows):
        yield from _scores(answers)
        yield from _questions(answers)
        yield from _conduct(answers, prices)
        yield from _comparisons(answers)
    if len(found.results):
        yield Section(
            title="Scores that runs state",
            text="Of runs whose answers were not saved, lighteval's own results with their standard "
            "errors by patient or item. Nothing of it could be checked against answers; a standard "
            "error of 0 is no certainty.",
            name="results",
            table=found.results,
        )
    yield from _longevity(answers, found.verdicts)


def _scores(answers: Answers) -> Iterator[Section]:
    table = tables.scores(answers)
    yield Section(
        title="Scores",
        text="Skill and raw scores over the `n` rows that a system was asked, and raw scores by task "
        "type and by cognitive level. The two simulated configs stand also together, and of them "
        f"({tables.MATCHED}) the tasks that the real recordings are asked too; there stand only "
        "systems that answered all rows of each config.",
        name="scores",
        table=table,
        shown=tables.side_by_side(table),
    )


def _questions(answers: Answers) -> Iterator[Section]:
    if not len(answers.questions()):
        return
    yield Section(
        title="Ability paths",
        text="By the abilities that a question needs, in order. `right` is the share of right answers.",
        name="ability_paths",
        table=tables.by_column(answers, "path"),
    )
    yield Section(
        title="Complexity",
        text="By the number of cognitive steps.",
        name="complexity",
        table=tables.by_complexity(answers),
        figure="complexity.svg",
    )
    spread = tables.prototypes(answers)
    widest = spread.sort_values(["spread", "prototype"], ascending=[False, True], kind="stable")
    yield Section(
        title="Prototypes",
        text="What a task asks about, in a word or two, and how far the scores of its tasks and of "
        "the systems are spread; in the text the ten widest.",
        name="prototypes",
        table=spread,
        shown=widest.head(10),
        figure="prototypes.svg",
    )
    yield Section(
        title="Forms of the prompt",
        text="By style of the record and days shown, and for agents. Over fewer days fewer questions "
        "can be asked: lines of `same rows` are over the rows that a model was asked in all its "
        "forms. `correct` and `correct by luck` are shares of the judged answers.",
        name="forms",
        table=tables.forms(answers),
    )


def _conduct(answers: Answers, prices: Mapping[str, tuple[float, float]]) -> Iterator[Section]:
    yield Section(
        title="Distribution of scores",
        text="How many rows score in each tenth, by task type.",
        name="distributions",
        table=(spread := tables.distributions(answers)),
        shown=spread.head(0),
        figure="distributions.svg",
    )
    yield Section(
        title="Faults in the reasoning",
        text="In how many of the judged answers the judge of reasoning found each type of fault.",
        name="failures",
        table=tables.failures(answers),
    )
    yield Section(
        title="Statuses",
        text="How many answers could be read, and why not.",
        name="statuses",
        table=tables.statuses(answers),
    )
    yield Section(
        title="Tokens and cost",
        text="Sums over the answers of which they are known (`known`); characters are of all text "
        "that was written. Most endpoints' backends record no tokens.",
        name="costs",
        table=tables.costs(answers, prices),
    )


def _comparisons(answers: Answers) -> Iterator[Section]:
    if len(comparisons.systems_of(answers)) < 2:
        return
    yield Section(
        title="All systems",
        text="Cochran's Q on right and wrong, over the rows that all systems answered; the effect is "
        "Q / (n (k - 1)). `differ` counts the rows that tell systems apart; where it times the "
        "systems is below 24, Q is rough (Tate and Brown 1970). `p clusters`: score test over whole "
        "patients or items.",
        name="all_systems",
        table=comparisons.all_at_once(answers),
    )
    paired = comparisons.pairs(answers)
    yield Section(
        title="Pairs of systems",
        text="On the rows that both answered: difference of the mean scores, Cohen's d of paired "
        "values, and McNemar's exact test on right and wrong with Cohen's g. `p clusters`: the exact "
        "test that swaps the systems in whole patients or items. The tests are on right answers, the "
        "interval is of the scores: they may differ.",
        name="pairs",
        table=paired,
        shown=paired.head(30),
    )
    yield Section(
        title="Answers that could not be read",
        text="Whether systems differ in it: chi-square by config, rough where an expected count is "
        "below 5 (`least expected`). `p clusters`: score test over whole patients or items.",
        name="unreadable",
        table=comparisons.statuses_differ(answers),
    )


def _longevity(answers: Answers, verdicts: Verdicts) -> Iterator[Section]:
    right = longevity.right_answers(answers)
    if len(right):
        yield Section(
            title="Longevity: right yes or no",
            text="By system prompt, age group, condition, and with or without retrieved passages.",
            name="longevity_answers",
            table=right,
            shown=_few(right),
        )
    if not len(verdicts.rows):
        return
    passed = longevity.requirements(verdicts)
    yield Section(
        title="Longevity: the five requirements",
        text="Share of verdicts that pass; two runs that differ have failed (`split verdicts`), "
        "failed calls are counted (`no verdict`) and are no verdicts.",
        name="requirements",
        table=passed,
        shown=_few(passed),
        figure="requirements.svg",
    )
    yield Section(
        title="Longevity: do systems differ",
        text="Cochran's Q on the cases that all of a judge's systems have, pairs on those that both have. "
        "A case counts once: it passes where more than half of its replicates do. `difference`: of "
        "the shares that pass, with an interval by item. `p clusters`: score test over whole items "
        "for Cochran's Q, and the exact test that swaps whole items for McNemar. With and without "
        "retrieval are two systems here.",
        name="requirement_systems",
        table=(differ := longevity.system_tests(verdicts)),
        shown=differ.head(30),
    )
    yield Section(
        title="Longevity: what the prompts vary",
        text="Chi-square of passing by factor, a case counting once as above, and in `p clusters` the "
        "score test over whole items. "
        "Age groups and the like differ between items, so that few items can show little of them.",
        name="requirement_factors",
        table=(factors := longevity.factor_tests(verdicts)),
        shown=factors.head(30),
    )
    yield Section(
        title="Longevity: agreement of the judge with itself",
        text="Raw share and Cohen's kappa, over verdicts that are not independent: no interval is given. "
        "That a judge agrees with itself does not show that it is right.",
        name="judge_agreement",
        table=longevity.judge_agreement(verdicts),
    )


def _few(table: pd.DataFrame) -> pd.DataFrame:
    """Return what a reader wants first: all cases, system prompts, age groups, retrieval."""
    first = table["factor"].isin(["all", "system_prompt_level", "age_group", "retrieved"])
    return table[first & (table["factor"].eq("all") | (len(table) < 200))]
