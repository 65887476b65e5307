"""Evaluate a model on a release with lighteval, without network."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from eval_tasks.errors import EvaluationError
from eval_tasks.reference_answers import REFERENCE_MODELS, reference_model
from eval_tasks.release import TEST_SPLIT, Release, find_release
from eval_tasks.runner import run_reference_model
from scripts.score_table import TABLE_WIDTH, score_table

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    model: Annotated[
        str, typer.Option(help=f"Reference model: {', '.join(REFERENCE_MODELS)}.")
    ] = "gold",
    config: Annotated[
        list[str] | None, typer.Option(help="Config to evaluate; repeat for several. Default: all.")
    ] = None,
    release: Annotated[
        str | None,
        typer.Option(
            help="Folder of a release, or its Hub repository. Default: what HEALTHLOOPQA_RELEASE "
            "names, else what `make release` built, else the Hub."
        ),
    ] = None,
    split: Annotated[str, typer.Option(help="Split to evaluate.")] = TEST_SPLIT,
    output: Annotated[
        Path, typer.Option(help="Folder for lighteval's results.", file_okay=False)
    ] = Path("results"),
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of the table.")
    ] = False,
) -> None:
    """Evaluate a reference model on the questions of a release with lighteval.

    Prints raw scores (mean over all rows, in [0, 1]), skill (0 is the best trivial model, 1 is
    perfect), both by task type and cognitive level, and how many completions had which status. The
    same numbers come from the plain lighteval command and are in its results.
    """
    try:
        chosen = reference_model(model)
        found = find_release(release)
        configs = found.chosen(tuple(config or ()), split)
        with Console(stderr=True).status(f"{chosen} on {', '.join(configs)}"):
            run = run_reference_model(found, chosen, configs, split, output)
    except EvaluationError as error:
        sys.stderr.write(f"error: {error}\n")
        raise SystemExit(1) from error
    if as_json:
        print(json.dumps(_report(found, chosen, split, run.reports)))
        return
    console = Console(width=None if sys.stdout.isatty() else TABLE_WIDTH)
    title = f"{chosen} on the split {split} of HealthLoopQA {found.version}"
    console.print(score_table(title, run.reports))
    sys.stderr.write(f"lighteval's results: {run.results_file}\n")


def _report(release: Release, model: str, split: str, reports: dict[str, Any]) -> dict[str, Any]:
    return {
        "model": model,
        "split": split,
        "release": {"version": release.version, "content_sha256": release.content_sha256},
        "configs": reports,
    }


if __name__ == "__main__":
    app()
