"""The words that rules and profiles share: interventions, flags, and the facts a rule may read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Sex = Literal["F", "M"]
Verdict = Literal["Y", "C", "N", "X"]
"""Advise, advise with conditions, not advised or treat first, contestable."""
Intervention = Literal["CR", "IF", "EX", "CE", "EPI", "FIS", "SPD", "RAP"]

INTERVENTIONS: Mapping[Intervention, str] = {
    "CR": "caloric restriction",
    "IF": "intermittent fasting",
    "EX": "exercise",
    "CE": "caloric restriction with exercise",
    "EPI": "epicatechin",
    "FIS": "fisetin",
    "SPD": "spermidine",
    "RAP": "rapamycin",
}

FLAGS: frozenset[str] = frozenset(
    {
        # body and hormones
        "easy_bruising",
        "wide_purple_striae",
        "proximal_weakness",
        "facial_plethora",
        "young_fragility_fracture",
        "ring_shoe_growth",
        "facial_change",
        "carpal_tunnel",
        "sweating",
        "snoring",
        "headache",
        "joint_pain",
        "oligo_cycles",
        "hirsutism",
        "pco_morphology",
        "pregnant",
        "breastfeeding",
        "planning_conception",
        "low_energy_availability",
        "functional_amenorrhoea",
        "hip_or_spine_fragility_fracture",
        # heart
        "rest_or_worsening_angina",
        "recent_acs_not_cleared",
        "cad_high_risk",
        "exertional_chest_symptoms",
        "cardiac_evaluation_done",
        "known_cad",
        "symptomatic_severe_as",
        "uncontrolled_arrhythmia",
        "active_myocarditis",
        "decompensated",
        # other diseases
        "acute_febrile_illness",
        "gout_history",
        "gout_flare_now",
        "gerd_symptoms",
        "gi_alarm",
        "unexplained_weight_loss",
        "diabetes",
        "eating_disorder_history",
        "immunosuppressed",
        "recurrent_infection",
        "active_cancer",
        "lung_disease_interstitial",
        "surgery_or_wound",
        "live_vaccine_planned",
        "coeliac",
        "wheat_allergy",
        # medication
        "exogenous_steroid",
        "on_sulfonylurea",
        "on_insulin",
        "on_warfarin_or_doac",
        "strong_cyp3a4_drug",
        # the request
        "asked_strenuous",
        "asked_high_impact",
        "unsupervised",
        "resistance_training",
        "goal_endurance_adaptation",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Everything a rule may read about a person.

    Attributes:
        sex: F or M.
        numbers: Age in years and measurements in their marker's unit, by rule name; a name that
            ends in `_x` is a multiple of the printed upper limit of normal.
        flags: What is known to be true; everything else counts as false.
    """

    sex: Sex
    numbers: Mapping[str, float]
    flags: frozenset[str]
