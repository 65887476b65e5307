import pytest

from generators.simulated import pump


@pytest.mark.parametrize(
    ("rate", "counts"), [(0.03, 5), (0.6, 100), (1.0, 165), (0.001, 5), (0.05, 10)]
)
def test_basal_is_rounded_to_steps_of_three_hundredths_of_a_unit(rate: float, counts: int) -> None:
    assert pump.basal_counts(rate) == counts


def test_on_board_falls_from_all_to_almost_nothing() -> None:
    table = pump.on_board_table()

    assert len(table) == 73
    assert table[0] == pump.PARTS
    assert (table[1:] < table[:-1]).all()
    assert table[-1] == 0 < table[-2] < 1000


def test_on_board_halves_where_the_published_curve_does() -> None:
    table = pump.on_board_table() / pump.PARTS

    assert table[22] == pytest.approx(0.5, abs=0.05)


def test_no_entry_lies_on_a_rounding_edge() -> None:
    exact = pump.on_board_shares()

    assert all(abs((share * pump.PARTS) % 1 - 0.5) > 1e-6 for share in exact)
