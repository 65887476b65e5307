"""Push a HealthLoopQA release to the Hub: one commit, then the version as its tag."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from builder.console import built_release, named_path, one_line_errors, progress_bar, size_of
from builder.json_output import json_text
from builder.publication import Plan, check_whole, checked, is_same_repository, plan, push
from eval_tasks.hub import hub_api, require_token
from eval_tasks.release import HUB_REPOSITORY

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(help=__doc__)
def main(
    folder: Annotated[
        Path | None,
        typer.Argument(
            help="Folder of the release. Default: dist/healthloopqa-<version> in the repository.",
            parser=named_path,
            show_default=False,
        ),
    ] = None,
    repository: Annotated[
        str, typer.Option(help="Dataset repository, owner/name.")
    ] = HUB_REPOSITORY,
    create: Annotated[
        bool, typer.Option("--create", help="Make the repository, public, if there is none.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check everything and list what would change.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of text.")
    ] = False,
) -> None:
    """Check the release, push it, tag it with its version.

    Refused are releases that are invalid, private or hold data under a use agreement, whose card is
    not what rendering gives now, that were not built from the version's declared seed, or whose
    version is tagged; in the benchmark's own repository also parts of a release. The token is the one of `hf auth login` or HF_TOKEN.
    """
    folder = folder or built_release()
    api, commit = hub_api(), None
    with one_line_errors():
        if not dry_run:
            require_token()
        with progress_bar(quiet=as_json) as progress:
            release = checked(folder, progress, workers=os.cpu_count() or 1)
        if is_same_repository(repository, HUB_REPOSITORY):
            check_whole(release)
        planned = plan(api, release, repository, create=create)
        if not dry_run:
            commit = push(api, release, planned)
    if as_json:
        print(json_text({**asdict(planned), "commit": commit}, indent=2))
    else:
        _print(planned, commit)


def _print(planned: Plan, commit: str | None) -> None:
    console = Console()
    table = Table(title=f"HealthLoopQA {planned.version} in {planned.repository}")
    table.add_column("")
    table.add_column("file", overflow="fold")
    table.add_column("size", justify="right")
    for change in planned.changes:
        size = "" if change.kind == "delete" else size_of(change.bytes)
        table.add_row(change.kind, change.path, size)
    console.print(table)
    console.print(f"{planned.unchanged} files are as they are there already")
    if commit is None:
        console.print(f"dry run: nothing was pushed; the tag would be {planned.version}")
    else:
        console.print(
            f"pushed as commit {commit}, tag {planned.version}: "
            f'load_dataset("{planned.repository}", revision="{planned.version}")',
            soft_wrap=True,
        )


if __name__ == "__main__":
    app()
