import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest, norm

from generators.errors import GeneratorError
from generators.streams import Stream, _normal_quantile


def test_frozen_vectors() -> None:
    """The same numbers for ever: a change here changes every release."""
    stream = Stream(7, "meals", "adult_003", 12)
    words = (stream.uniform(1000) * 2.0**53).astype(np.uint64).tobytes()
    assert hashlib.sha256(words).hexdigest()[:16] == "8b849fe1d6c807e0"
    normals = (Stream(7, "sensor", "adult_003").normal(1000) * 2.0**20).astype(np.int64).tobytes()
    assert hashlib.sha256(normals).hexdigest()[:16] == "7c3da2b993978689"


@pytest.mark.parametrize(
    "other",
    [
        Stream(8, "meals", "a", 1),
        Stream(7, "sensor", "a", 1),
        Stream(7, "meals", "b", 1),
        Stream(7, "meals", "a", 2),
        Stream(7, "meals", "a", "1"),
        Stream(7, "meals", "a"),
    ],
)
def test_any_other_key_is_another_stream(other: Stream) -> None:
    assert not np.array_equal(Stream(7, "meals", "a", 1).uniform(4), other.uniform(4))


def test_draws_continue_and_repeat() -> None:
    stream = Stream(1, "x")
    parts = np.concatenate([stream.uniform(3), stream.uniform(5)])
    assert np.array_equal(parts, Stream(1, "x").uniform(8))


def test_distributions() -> None:
    assert kstest(Stream(1, "u").uniform(20_000), "uniform").pvalue > 0.001
    assert kstest(Stream(1, "n").normal(20_000), "norm").pvalue > 0.001


def test_normal_quantile_agrees_with_scipy() -> None:
    p = np.concatenate([np.linspace(1e-12, 1 - 1e-12, 2001), 10.0 ** -np.arange(1.0, 17.0)])
    assert np.abs(_normal_quantile(p) - norm.ppf(p)).max() < 1e-12


@given(st.integers(-5, 5), st.integers(0, 9))
def test_integers_lie_in_their_range(low: int, width: int) -> None:
    stream = Stream(3, "i", low, width)
    drawn = {stream.integer(low, low + width) for _ in range(200)}
    assert drawn <= set(range(low, low + width + 1))
    assert len(drawn) > width // 2


@given(st.lists(st.integers(), unique=True))
def test_shuffle_keeps_the_items(items: list[int]) -> None:
    assert sorted(Stream(1, "s").shuffled(items)) == sorted(items)


def test_bad_requests_are_refused() -> None:
    with pytest.raises(GeneratorError, match="between 3 and 2"):
        Stream(1, "x").integer(3, 2)
    with pytest.raises(GeneratorError, match="nothing to choose"):
        Stream(1, "x").choice([])
    with pytest.raises(GeneratorError, match="control character"):
        Stream(1, "x\x1fy")
