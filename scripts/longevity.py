"""Work with the longevity items: fresh sets, review sheet, import, and retrieval of passages."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from builder import parquet
from builder.console import one_line_errors, progress_bar
from builder.json_output import json_text
from builder.release_config import HIGHEST_SEED
from builder.rows import Origin, longevity_table
from eval_tasks.version import RELEASE_VERSION
from generators.longevity.biochatter import import_biochatter
from generators.longevity.cases import ITEMS, Retrieved, longevity_rows
from generators.longevity.passages import DEFAULT_CORPUS, read_corpus
from generators.longevity.retrieval import aspects, build_index, packaged_model, retrieve
from generators.longevity.review import review_sheet
from generators.longevity.variants import FORMS, ItemVariant

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help=__doc__)
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Output = Annotated[Path, typer.Option(help="Parquet file to write; it stays on this machine.")]
Index = Annotated[Path, typer.Option(help="Folder of the index.")]
Seed = Annotated[int, typer.Option(min=0, max=HIGHEST_SEED, help="Seed of what is drawn.")]


@app.command()
def review(
    output: Annotated[Path, typer.Option(help="Markdown file to write.")],
    as_json: AsJson = False,
) -> None:
    """Write the sheet on which physicians judge the items."""
    with one_line_errors():
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(review_sheet(ITEMS), encoding="utf-8")
    _tell({"file": str(output), "items": len(ITEMS)}, as_json=as_json)


@app.command()
def fresh(
    output: Output,
    form: Annotated[ItemVariant, typer.Option(help="Form of the items.")] = "redrawn",
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Write 1,000 cases of another form; another seed gives another set."""
    with one_line_errors():
        rows = longevity_rows(form, seed=seed)
        written = _write(rows, output, source="longevity", seed=seed)
    _tell({"file": str(output), "form": form, "seed": seed, "rows": written}, as_json=as_json)


@app.command("import")
def import_items(
    source: Annotated[Path, typer.Argument(help="YAML file in the form of BioChatter.")],
    output: Output,
    accepted: Annotated[
        list[str] | None,
        typer.Option(
            "--type", help="Accept this type of case; repeatable. Default: that of the first."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Turn the original items into a private file of the same schema."""
    with one_line_errors():
        imported = import_biochatter(source, accepted or ())
        written = _write(imported.rows, output, source="biochatter", seed=0)
    told = {"file": str(output), "cases": imported.cases, "rows": written}
    _tell({**told, "copies_with_contexts_left_out": imported.left_out}, as_json=as_json)


@app.command()
def index(
    folder: Index,
    corpus: Annotated[
        Path,
        typer.Option(
            help="JSONL with id, title, abstract, year, doi. Default: the notes on the evidence "
            "of this benchmark.",
            show_default=False,
        ),
    ] = DEFAULT_CORPUS,
    as_json: AsJson = False,
) -> None:
    """Index a corpus for retrieval."""
    with one_line_errors(), progress_bar(quiet=as_json) as progress:
        total = sum(1 for _ in read_corpus(corpus))
        notes = build_index(
            read_corpus(corpus),
            folder,
            packaged_model(),
            lambda done: progress("indexing", done, total),
        )
    _tell({"folder": str(folder), "notes": notes}, as_json=as_json)


@app.command("retrieve")
def retrieve_passages(
    folder: Index,
    output: Output,
    top: Annotated[int, typer.Option(min=1, help="Passages for each item.")] = 3,
    form: Annotated[ItemVariant, typer.Option(help="Form of the items.")] = "original",
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Write the cases with the passages that an index holds for them."""
    with one_line_errors(), progress_bar(quiet=as_json) as progress:
        queries = [aspects(FORMS[form](item, seed)) for item in ITEMS]
        found = {}
        answers = retrieve(folder, queries, packaged_model(), top=top)
        for done, (item, passages) in enumerate(zip(ITEMS, answers, strict=True), start=1):
            found[item.id] = passages
            progress("retrieving", done, len(ITEMS))
        rows = longevity_rows(form, seed=seed, retrieved=Retrieved(passages=found))
        written = _write(rows, output, source="longevity", seed=seed)
    best = {name: [passage.id for passage in passages] for name, passages in found.items()}
    _tell({"file": str(output), "rows": written, "passages": best}, as_json=as_json)


def _write(rows: Iterable[Mapping[str, object]], output: Path, *, source: str, seed: int) -> int:
    """Write rows as Parquet and return how many there are."""
    origin = Origin(source=source, release=RELEASE_VERSION, seed=seed)
    table = longevity_table(rows, origin)
    parquet.write(table, output)
    return int(table.num_rows)


def _tell(told: Mapping[str, object], *, as_json: bool) -> None:
    if as_json:
        print(json_text(told, indent=2))
        return
    print("\n".join(f"{name.replace('_', ' ')}: {value}" for name, value in told.items()))


if __name__ == "__main__":
    app()
