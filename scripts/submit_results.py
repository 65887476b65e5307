"""Turn lighteval results into `.eval_results` of a model repository, after scoring them anew."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from builder.json_output import json_text
from eval_tasks.errors import EvaluationError
from eval_tasks.hub import hub_api
from eval_tasks.release import find_release
from reports.submission import Submission, propose, submission

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(help=__doc__)
def main(
    results: Annotated[
        Path,
        typer.Argument(
            help="Folder that was lighteval's --output-dir, of runs with --save-details.",
            exists=True,
            file_okay=False,
        ),
    ],
    model: Annotated[str, typer.Option(help="Repository of the model, owner/name.")],
    release: Annotated[
        str | None,
        typer.Option(
            help="Release that was evaluated on: folder or Hub repository. Default: as evaluation "
            "finds it."
        ),
    ] = None,
    tools: Annotated[
        str | None,
        typer.Option(help="What the model could use. Default: python for agents, else none."),
    ] = None,
    source_url: Annotated[
        str | None, typer.Option(help="Where logs or a report of the runs can be seen.")
    ] = None,
    output: Annotated[
        Path,
        typer.Option(
            help="Folder to write .eval_results/ into. Default: the one you are in.",
            file_okay=False,
            show_default=False,
        ),
    ] = Path(),
    create_pr: Annotated[
        bool,
        typer.Option("--create-pr", help="Open a pull request in the model's repository instead."),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of text.")
    ] = False,
) -> None:
    """Check the runs, score their details anew, write the file or open a pull request."""
    try:
        made = submission(results, find_release(release), model, tools=tools, source_url=source_url)
        place = propose(hub_api(), made) if create_pr else str(_write(made, output))
    except EvaluationError as error:
        sys.stderr.write(f"error: {error}\n")
        raise SystemExit(1) from error
    if as_json:
        print(json_text({**asdict(made), "path": made.path, "place": place}, indent=2))
        return
    for config, report in made.reports.items():
        print(
            f"{config}: skill {report['skill']:.4f}, score {report['score']:.4f}, n {report['n']}"
        )
    print(f"{'pull request' if create_pr else 'wrote'} {place}")


def _write(made: Submission, output: Path) -> Path:
    path = output / made.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(made.as_yaml(), encoding="utf-8")
    return path


if __name__ == "__main__":
    app()
