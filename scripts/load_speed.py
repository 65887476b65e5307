"""How large a release is and how fast it loads: what `scripts/benchmark.py load` measures."""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from builder.manifest import read_manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class Loading:
    """How large a release is and how fast it loads.

    Attributes:
        first_s: `load_dataset` of all `test` splits with an empty cache, the import left out.
        again_s: The same once they are cached.
        bytes: Size of the files of `test` and of all splits, by config.
        release_bytes: Size of the whole folder.
    """

    first_s: float
    again_s: float
    bytes: dict[str, tuple[int, int]]
    release_bytes: int


def measure_loading(release: Path) -> Loading:
    """Measure how large a release is and how fast it loads."""
    from datasets import disable_progress_bars, load_dataset  # noqa: PLC0415 - slow to import

    disable_progress_bars()
    configs = read_manifest(release).configs
    sizes: dict[str, tuple[int, int]] = {}
    for config, entry in configs.items():
        every = {
            split: sum((release / name).stat().st_size for name in part.files)
            for split, part in entry.splits.items()
        }
        sizes[config] = (every.get("test", 0), sum(every.values()))

    with tempfile.TemporaryDirectory() as cache:

        def load_all() -> None:
            for config, entry in configs.items():
                if "test" in entry.splits:
                    load_dataset(str(release), config, split="test", cache_dir=cache)

        first, again = _seconds(load_all), _seconds(load_all)
    return Loading(
        first_s=first,
        again_s=again,
        bytes=sizes,
        release_bytes=sum(path.stat().st_size for path in release.rglob("*") if path.is_file()),
    )


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
