"""Serve a scripted endpoint on this machine that plays a good model, a lazy one and a judge."""

if __name__ == "__main__":
    from builder.interrupts import one_line_on_ctrl_c

    one_line_on_ctrl_c()

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from builder.console import one_line_errors
from endpoints.loopback import LoopbackEndpoint
from eval_tasks.forms import TEST_SPLIT
from eval_tasks.question import LONGEVITY
from eval_tasks.release import find_release
from judges.material import rows_by_id
from judges.rehearsal import Rehearsal

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    release: Annotated[
        str | None, typer.Option(help="Folder of a release. Default: what `make release` built.")
    ] = None,
    split: Annotated[str, typer.Option(help="Split whose questions it knows.")] = TEST_SPLIT,
    port: Annotated[int, typer.Option(min=0, help="Port on 127.0.0.1; 0 for a free one.")] = 8765,
) -> None:
    """Serve a scripted endpoint on this machine until interrupted.

    The models `good`, `lazy` and `judge` answer there. They know the release's answers: what comes
    out of a run with them is known beforehand, and says nothing of any model.
    """
    with one_line_errors():
        found = find_release(release)
        configs = [config for config, splits in found.rows.items() if split in splits]
        rows = {config: rows_by_id(found, config, split).values() for config in configs}
        cases = rows.pop(LONGEVITY, {}.values())
        script = Rehearsal([row for part in rows.values() for row in part], cases)
        with LoopbackEndpoint(script, port) as endpoint:
            print(endpoint.url, flush=True)
            while True:
                time.sleep(3600)


if __name__ == "__main__":
    app()
