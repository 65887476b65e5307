"""Cases of anomaly-detection tasks about missing readings."""

from generators.questions.task import Answer
from generators.trace import Trace
from tests.generators.questions.hand_made import Case, at, flat, reading

DAY_5 = at(5, "00:00")
END = 30 * 1440


def both(why: str, trace: Trace, gold: Answer) -> tuple[Case, Case]:
    """The same gaps asked for in two ways."""
    return Case(why, "ad_3", trace, gold), Case(why, "ad_43", trace, gold)


CASES = (
    Case("nothing missing", "ad_1", flat(), None),
    Case("all missing", "ad_1", reading(flat(), 0, *(None,) * 8640), 100.0),
    Case("86.4 samples are 1 %", "ad_1", reading(flat(), 0, *(None,) * 864), 10.0),
    Case("a zero is there", "ad_1", reading(flat(), 0, *(None,) * 864, 0, 0, 0), 10.0),
    Case("0.05 % rounds up", "ad_1", reading(flat(), 0, *(None,) * 5), 0.1),
    Case("0.046 % rounds down", "ad_1", reading(flat(), 0, *(None,) * 4), 0.0),
    Case("87 of 288", "ad_2", reading(flat(), DAY_5, *(None,) * 87), [5]),
    Case("86 of 288", "ad_2", reading(flat(), DAY_5, *(None,) * 86), []),
    Case("zeros are there", "ad_2", reading(flat(), DAY_5, *(None,) * 86, *(0,) * 50), []),
    Case(
        "over midnight each day counts by itself",
        "ad_2",
        reading(flat(), DAY_5 - 5 * 87, *(None,) * 173),
        [4],
    ),
    Case(
        "first and last day",
        "ad_2",
        reading(reading(flat(), 0, *(None,) * 90), END - 450, *(None,) * 90),
        [1, 30],
    ),
    *both("no gap", flat(), []),
    *both("zero is no gap", reading(flat(), 0, 0, 0), []),
    *both("one sample lasts one minute", reading(flat(), 50, None), [{"start": 50, "end": 51}]),
    *both(
        "first and last sample",
        reading(reading(flat(), 0, None, None), END - 10, None, None),
        [{"start": 0, "end": 5}, {"start": 43190, "end": 43195}],
    ),
    *both(
        "a zero parts two gaps",
        reading(flat(), 50, None, None, 0, None),
        [{"start": 50, "end": 55}, {"start": 65, "end": 66}],
    ),
)
