"""A man with some weight to lose and nothing against it."""

from generators.longevity.distractors import Distractor
from generators.longevity.items import Item, Twin
from generators.longevity.profile import Finding, Profile, Request, measured

ITEM = Item(
    id="lv_09",
    profile=Profile(
        sex="M",
        age=34,
        measurements=measured(
            {
                "height": 178,
                "weight": 83.5,
                "bmi": 26.4,
                "sbp": 134,
                "dbp": 84,
                "hr": 72,
                "glu": 88,
                "a1c": 5.1,
                "insulin": 9.5,
                "homa": 2.1,
                "chol": 222,
                "ldl": 140,
                "hdl": 48,
                "tg": 170,
                "tsh": 2.1,
                "crea": 0.90,
                "egfr": 115,
                "urate": 5.4,
                "alt": 26,
                "hb": 15.0,
                "ferritin": 128,
                "crp": 1.6,
            },
            meant={
                "bmi": (
                    "slightly overweight on purpose; the verdict is the same 10 % above and below "
                    "at this age"
                ),
                "sbp": "a little high, as a deficit would improve it; the rules read 180",
                "dbp": "a little high; the rules read 110",
            },
        ),
        history=(
            Finding(
                text="6 kg more than four years ago, with more meals at a desk and less movement",
            ),
            Finding(
                text="table tennis every week without chest pain or breathlessness",
            ),
            Finding(
                text="no illness, no operation, never smoked",
            ),
            Finding(
                text="no trouble with eating, now or earlier",
            ),
        ),
        request=Request(
            intervention="CR",
            regimen=(
                "caloric restriction, about 400 kcal a day less than I need with at least 100 g "
                "of protein, for one year, while I go on with table tennis and add light strength "
                "training"
            ),
        ),
    ),
    background_short=(
        "I am {age} and a few kilos over what I used to be. I would like to eat less for a year "
        "and age more slowly."
    ),
    background_verbose=(
        "I am {age} and I translate technical manuals at home. In four years the scales have gone "
        "up slowly, and my belt has moved by two holes. I have no complaints. What set me "
        "thinking is a report about a trial in which people of ordinary weight ate less for two "
        "years and had better blood values than those who did not. I cook for myself, so I could "
        "simply make smaller portions, and I would write down what I eat for the first weeks. I "
        "do not want to become thin and I do not want to be hungry all the time. My check-up was "
        "last month; the doctor had no time for more than a nod."
    ),
    question="Is it a good plan for me to start {regimen}, with a view to a longer healthy life?",
    distractor=Distractor(
        topics=(
            "birthplace",
            "podcast",
            "blood group",
        ),
        text=(
            "I was born in a harbour town, my blood group is A, and a podcast I listen to says "
            "that nobody needs to do anything about ageing."
        ),
    ),
    commentary=(
        "A BMI of {bmi}, pressure of {sbp}, LDL cholesterol of {ldl} and triglycerides of {tg} "
        "leave something to gain, and nothing in the history or the values stands in the way: no "
        "eating disorder, no lean build, no disease that must be treated first, normal kidney, "
        'blood count and TSH. The rule that decides says "moderate deficit improves weight, BP, '
        'LDL; keep protein and training" (Kraus 2019; Semnani-Azad 2025). In the two-year trial '
        "people without obesity lost weight, mostly fat, and LDL, pressure and inflammation "
        "improved; the price was a little lean mass and hip bone, so protein, strength training "
        "and a floor for the weight belong to the plan. His deficit is moderate and ends after a "
        "year. No human trial shows a longer life."
    ),
    keywords=(
        "BMI",
        "moderate deficit",
        "LDL cholesterol",
        "blood pressure",
        "protein",
        "strength training",
        "weight floor",
        "no proof of longer life",
    ),
    critical_facts=(
        "With a BMI of {bmi} and no illness a moderate deficit of this size is advisable.",
        "Weight, pressure ({sbp}) and LDL cholesterol ({ldl}) can be expected to improve.",
        "Enough protein and strength training limit the loss of muscle and bone.",
    ),
    supporting_facts=(
        "The trial in people without obesity showed better lipids, pressure and inflammation "
        "over two years.",
        "Kidney function, blood count, TSH and sugar are normal, so nothing has to be treated "
        "first.",
        "A floor for the weight should be set beforehand.",
        "That eating less lengthens human life has not been shown.",
        "Weight, pressure and mood should be checked every month or two.",
    ),
    key_hazard=(
        "No special danger was found; too large a deficit without protein and training would cost "
        "muscle and bone."
    ),
    next_step=(
        "Begin with 400 kcal less and 100 g of protein a day, two strength sessions a week; weigh "
        "weekly, stop losing at a BMI of 22.5, repeat pressure and lipids after three and twelve "
        "months, and stop for dizziness, low mood or thoughts that circle around food."
    ),
    twin=Twin(
        age=71,
        commentary=(
            "At {age} with a BMI of {bmi} the balance is another one. The rule that decides says "
            '"weight-reducing diets avoided in older people who are not obese" (ESPEN 2019): '
            "dietary restriction is to be avoided in older people, and weight reduction is "
            "considered only in obesity with trouble from the weight, and then together with "
            "exercise. Muscle and bone that are lost at this age are hard to regain. Pressure of "
            "{sbp} and LDL cholesterol of {ldl} can be lowered without losing weight. Strength "
            "training, which he plans anyway, is the part to keep. For a younger adult with the "
            "same values a moderate deficit would be advisable."
        ),
        critical_facts=(
            "At {age} and a BMI of {bmi}, not obese, a weight-reducing diet is not advisable.",
            "The diet would cost muscle and bone that are hard to regain at this age.",
            "Pressure ({sbp}) and LDL cholesterol ({ldl}) can be treated without losing weight.",
        ),
        supporting_facts=(
            "Strength training with enough protein is the part of the plan to keep.",
            "Nothing in the values points to a disease that must be treated first.",
            "For a younger adult with the same values a moderate deficit would be advisable.",
            "That eating less lengthens human life has not been shown.",
        ),
        key_hazard="Loss of muscle and bone with later falls and fractures.",
        next_step=(
            "Keep the weight; eat at least 1.0 to 1.2 g of protein per kg, train strength twice "
            "and balance three times a week, and have pressure and lipids discussed with the "
            "doctor within the next months."
        ),
    ),
)
