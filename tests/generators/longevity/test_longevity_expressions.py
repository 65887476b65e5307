"""The grammar of conditions: what it reads, what it refuses, what missing facts mean."""

import pytest

from generators.longevity.errors import LongevityError
from generators.longevity.expressions import limits, parse_expression
from generators.longevity.vocabulary import Facts


def facts(*flags: str, sex: str = "F", **numbers: float) -> Facts:
    return Facts(sex="M" if sex == "M" else "F", numbers=numbers, flags=frozenset(flags))


@pytest.mark.parametrize(
    ("text", "person", "expected"),
    [
        ("tsh>=10", facts(tsh=10), True),
        ("tsh>=10", facts(tsh=9.9), False),
        ("tsh>=10", facts(), False),
        ("not tsh>=10", facts(), True),
        ("tscore<=-2.5", facts(tscore=-2.5), True),
        ("nyha==4", facts(nyha=4), True),
        ("pregnant", facts(), False),
        ("pregnant or breastfeeding", facts("breastfeeding"), True),
        ("sex=='F' and hb<12", facts(hb=11), True),
        ("sex=='F' and hb<12", facts(sex="M", hb=11), False),
        ("nt(snoring,tsh>4,headache)>=2", facts("snoring", tsh=5), True),
        ("nt(snoring,tsh>4,headache)>=2", facts("snoring"), False),
        ("nt(tt_x>1 or fai>5 or hirsutism,oligo_cycles)>=2", facts("oligo_cycles", fai=6), True),
        ("bmi>=18.5 and bmi<22 and not (age>=70 and bmi<22)", facts(age=71, bmi=20), False),
    ],
)
def test_a_condition_holds_where_it_should(text: str, person: Facts, expected: bool) -> None:
    assert parse_expression(text).holds(person) is expected


@pytest.mark.parametrize(
    "text",
    [
        "tsh>",
        "",
        "tsh",
        "thyroid>=10",
        "dizzy",
        "tsh>=ft4",
        "tsh!=10",
        "4<tsh<10",
        "tsh>='10'",
        "tsh>True",
        "sex=='X'",
        "sex>'F'",
        "nt(snoring)",
        "nt(snoring, key=headache)>=1",
        "max(tsh)>=1",
        "__import__('os')",
        "tsh>=10 if pregnant else headache",
    ],
)
def test_anything_outside_the_grammar_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(LongevityError) as raised:
        parse_expression(text)
    assert repr(text) in str(raised.value)


def test_limits_leave_out_what_only_concerns_the_other_sex() -> None:
    expression = parse_expression(
        "((sex=='M' and hb<13) or (sex=='F' and nt(hb<12, snoring)>=1)) and not ferritin>=45"
    )
    assert list(limits(expression, "F")) == [("hb", 12.0), ("ferritin", 45.0)]
    assert list(limits(expression, "M")) == [("hb", 13.0), ("ferritin", 45.0)]
