"""The conditions that rules speak about, each as an expression over the profile.

For benchmarking only: not medical advice, compiled by engineers, not reviewed by a physician.
Hidden-disease items show a condition's pattern and print the value that decides, never its name.
"""

import re
from dataclasses import dataclass

from generators.longevity.errors import LongevityError
from generators.longevity.expressions import Expression, parse_expression

_TABLE = """
HYPO | primary hypothyroidism | tsh>=10 and ft4<0.8 | hypothyroid; underactive thyroid; thyroid failure; thyroid disease; hashimoto; myxoedema; myxedema
CUSH | Cushing syndrome | nt(dst>1.8,lnsc_x>1,ufc_x>1)>=1 and nt(easy_bruising,wide_purple_striae,proximal_weakness,facial_plethora,young_fragility_fracture)>=2 and not exogenous_steroid | cushing; hypercortisol; cortisol excess
ACRO | acromegaly | (igf1_x>1.3 and nt(ring_shoe_growth,facial_change,carpal_tunnel,sweating,snoring,headache,joint_pain)>=2) or (igf1_x>1 and gh_nadir>1) | acromegal; growth hormone excess; excess growth hormone; pituitary
PCOSL | polycystic ovary syndrome, lean | sex=='F' and bmi<25 and nt(oligo_cycles,tt_x>1 or fai>5 or hirsutism,pco_morphology or amh_x>1)>=2 and tsh<4.5 and prl_x<=1 | pcos; polycystic; stein-leventhal
PCOSO | polycystic ovary syndrome, overweight | sex=='F' and bmi>=25 and nt(oligo_cycles,tt_x>1 or fai>5 or hirsutism,pco_morphology or amh_x>1)>=2 and tsh<4.5 and prl_x<=1 | pcos; polycystic; stein-leventhal
OSTEO | osteoporosis | age>=50 and (tscore<=-2.5 or hip_or_spine_fragility_fracture) | osteopor; osteopen; brittle bone; bone loss
SARCO | sarcopenia | (sex=='M' and (grip<27 or chair5>15) and almi<7.0) or (sex=='F' and (grip<16 or chair5>15) and almi<5.5) | sarcopen; frail; muscle wasting; muscle loss
CADU | coronary disease, unstable or high-risk | rest_or_worsening_angina or recent_acs_not_cleared or cad_high_risk | coronary; angina; ischaem; ischem
CADQ | coronary disease suspected, unevaluated | exertional_chest_symptoms and not cardiac_evaluation_done | coronary; angina; ischaem; ischem
CADS | coronary disease, stable, evaluated | known_cad and cardiac_evaluation_done and not (rest_or_worsening_angina or recent_acs_not_cleared or cad_high_risk) | coronary; angina; ischaem; ischem
HALT | acute stop list | sbp>=180 or dbp>=110 or symptomatic_severe_as or uncontrolled_arrhythmia or acute_febrile_illness or active_myocarditis | -
GOUT | gout, uncontrolled | gout_history and (gout_flare_now or urate>6.8) | gout; podagra
GERD | reflux disease without alarm signs | gerd_symptoms and not gi_alarm | gerd; gord; reflux disease
ALARM | alarm signs of the gut, or unexplained weight loss | gi_alarm or unexplained_weight_loss | -
IDA | iron-deficiency anaemia | ((sex=='M' and hb<13) or (sex=='F' and hb<12)) and ferritin<45 | anaemi; anemi; iron deficien
T2DH | diabetes on sulfonylurea or insulin | diabetes and (on_sulfonylurea or on_insulin) | -
EDHX | history of an eating disorder | eating_disorder_history | anorexia; bulimia; eating disorder
PREG | pregnancy or lactation | pregnant or breastfeeding | -
CKD | chronic kidney disease G3b or worse, or A3 | egfr<45 or uacr>=300 | kidney disease; kidney failure; renal failure; nephropath
HFS | heart failure with reduced ejection fraction, stable | lvef<=40 and nyha<=3 and not decompensated | heart failure; cardiac insufficiency; cardiomyopath
HFD | heart failure with reduced ejection fraction, unstable | lvef<=40 and (nyha==4 or decompensated) | heart failure; cardiac insufficiency; cardiomyopath
IMMUNO | immunosuppression | immunosuppressed | -
UNDER | underweight | bmi<18.5 or (age>=70 and bmi<22) | underweight; malnutrition; malnourish
LEAN | lean and healthy | bmi>=18.5 and bmi<22 and not (age>=70 and bmi<22) | -
REDS | energy deficiency | low_energy_availability or functional_amenorrhoea | energy deficiency; female athlete triad
RAPX | exclusions from rapamycin | ldl>=190 or tg>=500 or uacr>=300 or a1c>=6.5 or surgery_or_wound or recurrent_infection or live_vaccine_planned or strong_cyp3a4_drug or planning_conception or active_cancer or lung_disease_interstitial | -
ACOAG | anticoagulation | on_warfarin_or_doac | -
WHEAT | coeliac disease or wheat allergy | coeliac or wheat_allergy | -
ENDUR | endurance goal | goal_endurance_adaptation | -
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A condition that a profile may meet.

    Attributes:
        id: As the rule table writes it.
        title: In words.
        when: True where the profile meets it.
        names: Beginnings of the words that would give it away in a prompt.
    """

    id: str
    title: str
    when: Expression
    names: tuple[str, ...]

    def named_in(self, text: str) -> str | None:
        """Return the first of its names that a text contains, None if it contains none."""
        for name in self.names:
            if re.search(rf"\b{re.escape(name)}", text, flags=re.IGNORECASE):
                return name
        return None


def parse_conditions(table: str) -> tuple[Condition, ...]:
    """Read a table of conditions, one a line: id, title, expression and names between bars.

    Raises:
        LongevityError: A line has the wrong number of columns or an expression that cannot be
            read, or an identifier occurs twice.
    """
    conditions = tuple(_condition(line) for line in table.strip().splitlines())
    ids = [condition.id for condition in conditions]
    repeated = sorted({name for name in ids if ids.count(name) > 1})
    if repeated:
        raise LongevityError(f"conditions declared twice: {', '.join(repeated)}")
    return conditions


def _condition(line: str) -> Condition:
    cells = [cell.strip() for cell in line.split("|")]
    if len(cells) != 4:
        raise LongevityError(f"condition line {line!r} needs id | title | expression | names")
    name, title, when, names = cells
    return Condition(
        id=name,
        title=title,
        when=parse_expression(when),
        names=() if names == "-" else tuple(part.strip() for part in names.split(";")),
    )


CONDITIONS: tuple[Condition, ...] = parse_conditions(_TABLE)
"""All conditions, in the order of the rule table."""
