"""Notes come back as written, and nothing that cannot be is read from them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.bootstrap import Interval
from reports.notes import Measured, Notes
from tests.reports.submitted import Submitted

TEXT = Submitted().notes().as_text()


@pytest.mark.parametrize(
    "made",
    [
        Submitted(),
        Submitted(config="longevity"),
        Submitted(prompt="agent", tools="python"),
        Submitted(reference="yes", skill=-1.0),
        Submitted(config="fault_injected", more={"skill": Measured(value=0.5)}),
    ],
    ids=["plain", "longevity", "agent", "reference", "no interval"],
)
def test_notes_come_back_as_written(made: Submitted) -> None:
    notes = made.notes()
    assert Notes.parse(notes.as_text()) == notes
    assert "None" not in notes.as_text()


def test_an_interval_is_rounded_and_may_be_missing() -> None:
    assert str(Measured.of(Interval(value=0.12345, low=-0.00001, high=0.2))) in (
        "0.1235 [-0.0000, 0.2000]",
        "0.1234 [-0.0000, 0.2000]",
    )
    assert str(Measured.of(Interval(value=1.0))) == "1.0000"
    with pytest.raises(ValueError, match="finite"):
        Measured.of(Interval(value=math.nan))


REFUSED = {
    "a name twice": (TEXT + "; n=100", "twice"),
    "an unknown name": (TEXT + "; extra=1", "extra"),
    "statuses as such": (TEXT + "; statuses=1", "statuses|dictionary|mapping"),
    "no number": (TEXT.replace("skill=0.5000", "skill=nan", 1), "four decimals"),
    "infinite": (TEXT.replace("skill=0.5000", "skill=inf", 1), "four decimals"),
    "huge": (
        TEXT.replace("skill=0.5000 [0.4000, 0.6000]", "skill=9.9999 [0.4000, 9.9999]", 1),
        r"outside \[-1, 1\]",
    ),
    "score below 0": (TEXT.replace("score=0.7500", "score=-0.1000", 1), r"outside \[0, 1\]"),
    "bounds swapped": (TEXT.replace("[0.4000, 0.6000]", "[0.6000, 0.4000]"), "own value"),
    "bound beyond 1": (TEXT.replace("0.6000]", "1.6000]"), r"outside \[-1, 1\]"),
    "statuses do not add up": (TEXT.replace("ok=97", "ok=98"), "add up"),
    "a negative status": (TEXT.replace("empty=3", "empty=-3"), "greater than or equal to 0"),
    "types do not add up": (TEXT.replace("n_prediction=50", "n_prediction=49"), "add up"),
    "huge n": (TEXT.replace("n=100;", f"n={10**30};"), "n"),
    "n with many digits": (TEXT.replace("n=100;", f"n={'9' * 3000};"), "n"),
    "markup": (TEXT.replace("lab/one", "lab/<b>one</b>"), "model"),
    "version": (TEXT.replace("version=0.1.0", "version=latest"), "version"),
    "other digits": (TEXT.replace("version=0.1.0", "version=\u0660.1.0"), "version"),
    "prompt": (TEXT.replace("prompt=structured", "prompt=own"), "prompt"),
    "horizon": (TEXT.replace("horizon=30d", "horizon=31d"), "horizon"),
    "prompt alone": (TEXT.replace("horizon=30d; ", ""), "belong together"),
    "tools": (TEXT.replace("tools=none", "tools=<img>"), "tools"),
    "agent without tools": (TEXT.replace("prompt=structured", "prompt=agent"), "has tools"),
    "content": (TEXT.replace("0123456789abcdef", "0123456789ABCDEF"), "content"),
    "too long": (TEXT + "; " + "x" * 4000, "longer than"),
    "empty": ("", "Field required|twice"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused(name: str) -> None:
    text, message = REFUSED[name]
    assert text != TEXT
    with pytest.raises(ValueError, match=message):
        Notes.parse(text)


@given(st.text(max_size=80), st.integers(0, len(TEXT)), st.integers(0, 40))
def test_changed_notes_are_refused_or_read_as_they_say(what: str, place: int, cut: int) -> None:
    try:
        notes = Notes.parse(TEXT[:place] + what + TEXT[place + cut :])
    except ValueError:
        return
    assert Notes.parse(notes.as_text()) == notes
    assert -1.0 <= notes.skill.value <= 1.0
