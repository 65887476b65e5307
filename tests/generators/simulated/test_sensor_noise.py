import numpy as np
import pytest

from generators.simulated import sensor
from generators.streams import Stream


def process(knots: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return sensor.autoregressive(Stream(5, "sensor").normal(knots))


def test_error_has_the_moments_of_the_model() -> None:
    samples = 150_000
    noise = sensor.noise(process(sensor.knots_for(samples)), samples)

    assert noise.mean() == pytest.approx(0.7, abs=0.4)
    assert noise.std() == pytest.approx(11.7, abs=0.7)
    assert np.percentile(noise, [1, 99]) == pytest.approx([-25, 35], abs=2.5)


def test_curve_passes_through_the_knots() -> None:
    errors = process(12)
    bent = -5.47 + 15.9574 * np.sinh((errors + 0.5444) / 1.6898)

    assert sensor.noise(errors, 24)[::3] == pytest.approx(bent[1:9])


def test_curve_is_exact_for_cubic_knots() -> None:
    time = np.arange(-1, 9)
    cubic = 0.3 * time**3 - 2 * time**2 + time - 1
    errors = np.arcsinh((cubic + 5.47) / 15.9574) * 1.6898 - 0.5444

    fine = np.arange(18) / 3
    assert sensor.noise(errors, 18) == pytest.approx(0.3 * fine**3 - 2 * fine**2 + fine - 1)


@pytest.mark.parametrize("sample", [1, 2, 3, 4, 5, 6, 17])
def test_free_knots_do_not_reach_back_before_the_sample(sample: int) -> None:
    errors = process(sensor.knots_for(40))
    other = errors.copy()
    other[sensor.first_free_knot(sample) :] += 1.0

    known = sensor.noise(errors, 40)[:sample]
    assert np.array_equal(sensor.noise(other, 40)[:sample], known)
    assert not np.array_equal(sensor.noise(other, 40), sensor.noise(errors, 40))


def test_process_can_be_continued() -> None:
    innovations = Stream(6, "sensor").normal(30)
    whole = sensor.autoregressive(innovations)

    rest = sensor.autoregressive(innovations[10:], whole[9])

    assert np.array_equal(rest, whole[10:])
