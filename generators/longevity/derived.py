"""Values that follow from others, so that a profile cannot contradict itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from generators.longevity.vocabulary import Sex

Values = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """How one measurement follows from others.

    Attributes:
        field: The derived marker.
        inputs: Markers that must stand in the profile too.
        compute: Sex, age in years and the profile's values in; the value in the marker's unit out,
            or None where the formula does not apply.
        formula: The formula or its source, for error messages.
    """

    field: str
    inputs: tuple[str, ...]
    compute: Callable[[Sex, int, Values], float | None]
    formula: str


def body_mass_index(_sex: Sex, _age: int, values: Values) -> float:
    """Return kg/m2 from weight in kg and height in cm."""
    return values["weight"] / (values["height"] / 100) ** 2


def ckd_epi_2021(sex: Sex, age: int, values: Values) -> float:
    """Return eGFR in mL/min/1.73 m2 from creatinine in mg/dL.

    CKD-EPI 2021 without race: Inker et al. 2021, doi 10.1056/NEJMoa2102953.
    """
    kappa, alpha, factor = (0.7, -0.241, 1.012) if sex == "F" else (0.9, -0.302, 1.0)
    ratio = values["crea"] / kappa
    low, high = min(ratio, 1.0), max(ratio, 1.0)
    return float(142 * low**alpha * high**-1.200 * 0.9938**age * factor)


def homa_ir(_sex: Sex, _age: int, values: Values) -> float:
    """Return HOMA-IR from glucose in mg/dL and insulin in µU/mL (Matthews et al. 1985)."""
    return values["glu"] * values["insulin"] / 405


def free_androgen_index(_sex: Sex, _age: int, values: Values) -> float:
    """Return 100 x testosterone / SHBG, both in nmol/L; testosterone is given in ng/dL."""
    return 100 * values["tt"] * 0.03467 / values["shbg"]


def friedewald_ldl(_sex: Sex, _age: int, values: Values) -> float | None:
    """Return LDL in mg/dL, None from 400 mg/dL of triglycerides up (Friedewald et al. 1972)."""
    if values["tg"] >= 400:
        return None
    return values["chol"] - values["hdl"] - values["tg"] / 5


def transferrin_saturation(_sex: Sex, _age: int, values: Values) -> float:
    """Return % from iron and iron-binding capacity, both in µg/dL."""
    return 100 * values["iron"] / values["tibc"]


def corrected_calcium(_sex: Sex, _age: int, values: Values) -> float:
    """Return calcium in mg/dL corrected to an albumin of 4 g/dL (Payne et al. 1973)."""
    return values["ca"] + 0.8 * (4 - values["alb"])


DERIVED = (
    Derived(
        field="bmi",
        inputs=("height", "weight"),
        compute=body_mass_index,
        formula="weight / height2",
    ),
    Derived(field="egfr", inputs=("crea",), compute=ckd_epi_2021, formula="CKD-EPI 2021"),
    Derived(
        field="homa",
        inputs=("glu", "insulin"),
        compute=homa_ir,
        formula="glucose x insulin / 405",
    ),
    Derived(
        field="fai",
        inputs=("tt", "shbg"),
        compute=free_androgen_index,
        formula="100 x testosterone / SHBG in nmol/L",
    ),
    Derived(
        field="ldl",
        inputs=("chol", "hdl", "tg"),
        compute=friedewald_ldl,
        formula="Friedewald",
    ),
    Derived(
        field="tsat",
        inputs=("iron", "tibc"),
        compute=transferrin_saturation,
        formula="iron / iron-binding capacity",
    ),
    Derived(
        field="ca_corr",
        inputs=("ca", "alb"),
        compute=corrected_calcium,
        formula="calcium + 0.8 x (4 - albumin)",
    ),
)
