"""Biomarkers: name, unit, typical reference range, plausible range and the cut-offs of guidelines.

Ranges are typical adult values; laboratories differ, so a profile prints the range it uses and may
replace the one given here. Cut-offs come from ADA 2025 and WHO (glucose), ESC/EAS 2019, AHA/ACC
2018 and EAS 2022 (lipids), Alberti 2009 (HDL), CDC/AHA 2003 (CRP), ACG 2017 (ALT), KDIGO 2024
(kidney), ACR 2020 (urate), NICE NG145 (thyroid), Endocrine Society 2008 (cortisol), Giustina 2024
(growth hormone), Teede 2023 (androgens, AMH), WHO 2020/2024 and AGA 2020 (iron, haemoglobin), IOM
2011 (vitamin D), NICE NG239 (B12), AHA/ACC 2025 and ESC 2024 (pressure), WHO and GLIM (BMI), IDF
(waist), EWGSOP2 (strength, lean mass), WHO (T-score) and ISCD 2005 (Z-score).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

from generators.longevity.errors import LongevityError
from generators.longevity.vocabulary import Sex

Group = Literal[
    "body", "circulation", "metabolism", "lipids", "hormones", "organs", "blood", "minerals",
    "function", "bone",
]  # fmt: skip

_HEADINGS = (
    "field", "fact", "name", "unit", "decimals", "group", "plausible", "men", "women",
    "cut-offs men", "cut-offs women",
)  # fmt: skip

# A range is low..high, either end may be open; - is none, = is the column of men again.
# fact is the name a rule reads; with _x it is the value over the upper limit of the range.
_TABLE = """
height   | height   | height | cm | 0 | body | 130..215 | - | = | - | =
weight   | weight   | weight | kg | 1 | body | 35..220 | - | = | - | =
bmi      | bmi      | BMI | kg/m2 | 1 | body | 13..60 | 18.5..24.9 | = | 18.5 25 30 | =
waist    | waist    | waist circumference | cm | 0 | body | 50..180 | ..94 | ..80 | 94 102 | 80 88
sbp      | sbp      | systolic blood pressure | mmHg | 0 | circulation | 75..230 | ..120 | = | 120 130 140 180 | =
dbp      | dbp      | diastolic blood pressure | mmHg | 0 | circulation | 40..140 | ..80 | = | 70 80 90 110 | =
hr       | hr       | resting pulse | per minute | 0 | circulation | 35..140 | 60..90 | = | 50 100 | =
lvef     | lvef     | left ventricular ejection fraction | % | 0 | circulation | 10..80 | 52..72 | 54..74 | 40 50 | =
nyha     | nyha     | NYHA class | - | 0 | circulation | 1..4 | - | = | - | =
ntprobnp | ntprobnp | NT-proBNP | pg/mL | 0 | circulation | 5..20000 | ..125 | = | 125 | =
glu      | glu      | fasting glucose | mg/dL | 0 | metabolism | 50..350 | 70..99 | = | 100 110 126 | =
a1c      | a1c      | HbA1c | % | 1 | metabolism | 4.0..14 | ..5.7 | = | 5.7 6.5 | =
ogtt2h   | ogtt2h   | glucose 2 h after 75 g glucose | mg/dL | 0 | metabolism | 50..450 | ..140 | = | 140 200 | =
insulin  | insulin  | fasting insulin | µU/mL | 1 | metabolism | 1..80 | 2.6..24.9 | = | - | =
homa     | homa     | HOMA-IR | - | 1 | metabolism | 0.2..20 | 0.5..2.0 | = | 2.5 | =
chol     | chol     | total cholesterol | mg/dL | 0 | lipids | 90..450 | ..200 | = | - | =
ldl      | ldl      | LDL cholesterol | mg/dL | 0 | lipids | 25..350 | ..116 | = | 55 70 100 116 190 | =
hdl      | hdl      | HDL cholesterol | mg/dL | 0 | lipids | 20..120 | 40.. | 50.. | 40 | 50
tg       | tg       | triglycerides | mg/dL | 0 | lipids | 30..1500 | ..150 | = | 150 500 | =
apob     | apob     | apolipoprotein B | mg/dL | 0 | lipids | 30..250 | ..100 | = | 65 80 100 130 | =
lpa      | lpa      | lipoprotein(a) | nmol/L | 0 | lipids | 2..500 | ..75 | = | 75 125 | =
tsh      | tsh      | TSH | mIU/L | 1 | hormones | 0.1..150 | 0.4..4.0 | = | 4.0 10 | =
ft4      | ft4      | free T4 | ng/dL | 2 | hormones | 0.1..5 | 0.80..1.80 | = | 0.8 | =
ft3      | ft3      | free T3 | pg/mL | 1 | hormones | 0.8..15 | 2.3..4.2 | = | - | =
cort_am  | cort_am  | morning cortisol | µg/dL | 1 | hormones | 0.5..60 | 5.0..25.0 | = | 3 | =
dst      | dst      | cortisol after 1 mg dexamethasone | µg/dL | 1 | hormones | 0.3..40 | ..1.8 | = | 1.8 | =
lnsc     | lnsc_x   | late-night salivary cortisol | µg/dL | 3 | hormones | 0.01..2 | ..0.145 | = | 1 | =
ufc      | ufc_x    | urinary free cortisol | µg/24 h | 0 | hormones | 3..1000 | ..45 | = | 1 | =
igf1     | igf1_x   | IGF-1 | ng/mL | 0 | hormones | 20..1500 | - | = | 1 1.3 | =
gh_nadir | gh_nadir | lowest growth hormone after 75 g glucose | µg/L | 2 | hormones | 0.02..60 | ..0.40 | = | 0.4 1.0 | =
lh       | lh       | LH | IU/L | 1 | hormones | 0.1..80 | 1.5..9.0 | 2.0..12.0 | - | =
fsh      | fsh      | FSH | IU/L | 1 | hormones | 0.1..150 | 1.5..12.0 | 3.0..10.0 | - | 25
tt       | tt_x     | total testosterone | ng/dL | 0 | hormones | 5..1200 | 264..916 | 10..55 | - | 1
shbg     | shbg     | SHBG | nmol/L | 0 | hormones | 5..200 | 15..55 | 30..120 | - | =
fai      | fai      | free androgen index | - | 1 | hormones | 0.2..150 | - | ..5.0 | - | 5
prl      | prl_x    | prolactin | ng/mL | 1 | hormones | 1..500 | ..20.0 | ..30.0 | 1 | =
amh      | amh_x    | AMH | ng/mL | 1 | hormones | 0.1..25 | - | = | - | 1
ohp17    | ohp17    | 17-OH-progesterone | ng/dL | 0 | hormones | 10..2000 | - | ..200 | - | 200
pth      | pth_x    | PTH | pg/mL | 0 | hormones | 3..500 | 15..65 | = | 1 | =
crea     | crea     | creatinine | mg/dL | 2 | organs | 0.3..8 | 0.70..1.30 | 0.50..1.10 | - | =
egfr     | egfr     | eGFR (creatinine) | mL/min/1.73 m2 | 0 | organs | 8..140 | 90.. | = | 30 45 60 | =
uacr     | uacr     | urine albumin/creatinine | mg/g | 0 | organs | 1..5000 | ..30 | = | 30 300 | =
urate    | urate    | uric acid | mg/dL | 1 | organs | 1.5..14 | 3.5..7.0 | 2.5..6.0 | 6.8 | =
alt      | alt      | ALT | U/L | 0 | organs | 6..500 | ..33 | ..25 | 33 | 25
ast      | ast      | AST | U/L | 0 | organs | 8..500 | ..40 | ..35 | 40 | 35
ggt      | ggt      | GGT | U/L | 0 | organs | 6..800 | ..60 | ..40 | 60 | 40
ck       | ck_x     | creatine kinase | U/L | 0 | organs | 20..5000 | ..200 | ..150 | 1 5 | =
hb       | hb       | haemoglobin | g/dL | 1 | blood | 6..20 | 13.0..17.0 | 12.0..15.5 | 13 | 12
mcv      | mcv      | MCV | fL | 0 | blood | 60..120 | 80..100 | = | 80 100 | =
plt      | plt      | platelets | 10^9/L | 0 | blood | 50..700 | 150..400 | = | - | =
ferritin | ferritin | ferritin | µg/L | 0 | blood | 3..1500 | 30..300 | 15..200 | 15 45 70 | =
iron     | iron     | iron | µg/dL | 0 | blood | 10..300 | 60..170 | = | - | =
tibc     | tibc     | iron-binding capacity | µg/dL | 0 | blood | 150..600 | 250..400 | = | - | =
tsat     | tsat     | transferrin saturation | % | 0 | blood | 3..95 | 20..45 | = | 16 20 45 | =
b12      | b12      | vitamin B12 | pg/mL | 0 | blood | 80..2000 | 200..900 | = | 180 350 | =
crp      | crp      | hs-CRP | mg/L | 1 | blood | 0.1..100 | ..3.0 | = | 1 3 10 | =
alb      | alb      | albumin | g/dL | 1 | minerals | 2.0..5.5 | 3.5..5.0 | = | 3.5 | =
ca       | ca       | calcium | mg/dL | 1 | minerals | 7..13 | 8.5..10.5 | = | - | =
ca_corr  | ca_corr  | albumin-corrected calcium | mg/dL | 1 | minerals | 7..13 | 8.5..10.5 | = | - | =
k        | k        | potassium | mmol/L | 1 | minerals | 2.5..6.5 | 3.5..5.0 | = | 3.5 | =
na       | na       | sodium | mmol/L | 0 | minerals | 120..155 | 135..145 | = | - | =
vitd     | vitd     | 25-OH vitamin D | ng/mL | 0 | minerals | 4..120 | 20..50 | = | 12 20 | =
grip     | grip     | grip strength | kg | 0 | function | 5..75 | 27.. | 16.. | 27 | 16
chair5   | chair5   | five chair rises | s | 1 | function | 5..60 | ..15.0 | = | 15 | =
gait     | gait     | gait speed | m/s | 2 | function | 0.2..2 | 1.00.. | = | 0.8 | =
almi     | almi     | appendicular lean mass index | kg/m2 | 1 | function | 3.5..12 | 7.0.. | 5.5.. | 7.0 | 5.5
tscore   | tscore   | hip T-score | - | 1 | bone | -5..3 | -1.0.. | = | -1 -2.5 | =
zscore   | zscore   | hip Z-score | - | 1 | bone | -5..3 | -2.0.. | = | -2 | =
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A reference range; an open end is None."""

    low: float | None = None
    high: float | None = None

    def text(self, decimals: int) -> str:
        """Return the range as printed, for example 0.4-4.0, below 5.7 or 90 or above."""
        if self.low is None:
            return f"below {self.high:.{decimals}f}"
        if self.high is None:
            return f"{self.low:.{decimals}f} or above"
        return f"{self.low:.{decimals}f}-{self.high:.{decimals}f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """One thing that is measured.

    Attributes:
        field: Key in a profile.
        fact: Name that rules read; ending in `_x`, the value as a multiple of the upper limit.
        name: As printed.
        unit: As printed; empty for a ratio or a score.
        decimals: Printed decimals.
        group: Which sentence of a paragraph it belongs to.
        plausible: Lowest and highest value that a profile may state.
        references: Typical reference range by sex, None where there is none.
        cutoffs: Guideline thresholds by sex, in units of the fact.
    """

    field: str
    fact: str
    name: str
    unit: str
    decimals: int
    group: Group
    plausible: tuple[float, float]
    references: Mapping[Sex, Reference | None]
    cutoffs: Mapping[Sex, tuple[float, ...]]

    def text(self, value: float) -> str:
        """Return a value with its unit as printed, for example 42.0 mIU/L."""
        return f"{value:.{self.decimals}f} {self.unit}".strip()


def parse_markers(table: str) -> tuple[Marker, ...]:
    """Read a table of markers, one a line, columns separated by `|`.

    Raises:
        LongevityError: A line has the wrong number of columns, an unknown group or a bad range.
    """
    return tuple(_marker(line) for line in table.strip().splitlines())


def _marker(line: str) -> Marker:
    cells = [cell.strip() for cell in line.split("|")]
    if len(cells) != len(_HEADINGS):
        raise LongevityError(f"marker line {line!r} needs the columns {', '.join(_HEADINGS)}")
    field, fact, name, unit, decimals, group, plausible, men, women, cut_men, cut_women = cells
    limits = _range(plausible, field)
    if limits is None or limits.low is None or limits.high is None:
        raise LongevityError(f"marker {field}: the plausible range needs both ends")
    return Marker(
        field=field,
        fact=fact,
        name=name,
        unit="" if unit == "-" else unit,
        decimals=int(decimals),
        group=_group(group, field),
        plausible=(limits.low, limits.high),
        references={"M": _range(men, field), "F": _range(_again(women, men), field)},
        cutoffs={"M": _numbers(cut_men), "F": _numbers(_again(cut_women, cut_men))},
    )


def _group(cell: str, field: str) -> Group:
    group: Group
    for group in get_args(Group):
        if group == cell:
            return group
    raise LongevityError(f"marker {field}: unknown group {cell!r}")


def _again(cell: str, first: str) -> str:
    return first if cell == "=" else cell


def _numbers(cell: str) -> tuple[float, ...]:
    return () if cell == "-" else tuple(float(part) for part in cell.split())


def _range(cell: str, field: str) -> Reference | None:
    if cell == "-":
        return None
    low, dots, high = cell.partition("..")
    if not dots or not (low or high):
        raise LongevityError(f"marker {field}: {cell!r} is no range; write low..high")
    return Reference(low=float(low) if low else None, high=float(high) if high else None)


MARKERS: Mapping[str, Marker] = MappingProxyType({m.field: m for m in parse_markers(_TABLE)})
"""All markers by field, in the order in which they are printed."""

NUMBERS: frozenset[str] = frozenset({"age", *(marker.fact for marker in MARKERS.values())})
"""Every number that a rule may compare."""
