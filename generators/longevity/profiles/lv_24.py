"""A young woman with some overweight who wants to eat less and train."""

from generators.longevity.distractors import Distractor
from generators.longevity.items import Item, Twin
from generators.longevity.profile import Finding, Profile, Request, measured

ITEM = Item(
    id="lv_24",
    profile=Profile(
        sex="F",
        age=28,
        measurements=measured(
            {
                "height": 169,
                "weight": 82.0,
                "bmi": 28.7,
                "sbp": 124,
                "dbp": 80,
                "hr": 76,
                "glu": 89,
                "a1c": 5.1,
                "insulin": 9.0,
                "homa": 2.0,
                "chol": 218,
                "ldl": 140,
                "hdl": 44,
                "tg": 170,
                "tsh": 2.1,
                "prl": 15.0,
                "crea": 0.72,
                "egfr": 117,
                "alt": 21,
                "ck": 92,
                "hb": 13.7,
                "ferritin": 52,
                "crp": 2.0,
            },
            meant={
                "bmi": "overweight on purpose; the verdict is the same 10 % above and below",
                "sbp": "a common pressure; the rules read 180",
                "dbp": "a common pressure; the rules read 110",
            },
        ),
        history=(
            Finding(
                text="11 kg gained over six years with canteen meals and no movement",
            ),
            Finding(
                text="periods regular, no excess hair, not pregnant and no plans for it",
            ),
            Finding(
                text="no trouble with eating, now or earlier",
            ),
            Finding(
                text="no chest pain on stairs, no joint trouble",
            ),
        ),
        request=Request(
            intervention="CE",
            regimen=(
                "caloric restriction together with exercise: 250 kcal a day less food and 250 "
                "kcal a day more movement, with two strength sessions a week and plenty of "
                "protein, for a year"
            ),
        ),
    ),
    background_short=(
        "I am {age} and want to lose weight by half diet and half training, and to keep my health."
    ),
    background_verbose=(
        "I am {age} and draft road signs, a job that is done sitting and eaten through. My "
        "sister-in-law has become a mother, and holding the little one I thought that I would "
        "like to be a spry great-aunt some day. I have put together a plan from a handbook on "
        "training: half of what I want to save comes from the plate, the other half from "
        "movement. I have a friend who would go to the weights with me, and a canteen that offers "
        "salad. Other people tell me to do only one of the two because both at once would be too "
        "much for the body. The health insurance pays for a check-up before such things, and I "
        "have enclosed it."
    ),
    question="Should I begin {regimen}, for a longer life in good health?",
    distractor=Distractor(
        topics=(
            "tram",
            "siblings",
            "biological age app",
        ),
        text=(
            "I go to the office by tram, have a brother, and an app on my phone makes me out to "
            "be three years older inside without saying how."
        ),
    ),
    commentary=(
        "A BMI of {bmi}, triglycerides of {tg}, HDL of {hdl} and LDL cholesterol of {ldl} leave "
        "something to gain; history, blood count, ferritin of {ferritin}, TSH and kidney values "
        'give no reason against it. The rule that decides says "half diet half exercise: same fat '
        'loss, more fitness, insulin sensitivity and LDL effect" (Larson-Meyer 2010). That is '
        "literally her plan: in the trial half diet and half exercise took off as much fat as the "
        "whole deficit from food, with a greater gain in fitness and insulin sensitivity. Both "
        "together are not too much; protein and strength training keep the muscles, regular "
        "periods show that the energy suffices. A longer life has not been shown in people."
    ),
    keywords=(
        "BMI",
        "calorie deficit",
        "exercise",
        "fitness",
        "insulin sensitivity",
        "LDL cholesterol",
        "protein",
        "periods",
    ),
    critical_facts=(
        "With a BMI of {bmi} and no illness the combination of a small deficit and training "
        "is advisable.",
        "Half from food and half from movement takes off the same fat and improves fitness "
        "and insulin sensitivity more.",
        "Protein and strength training keep the muscles during the loss.",
    ),
    supporting_facts=(
        "Triglycerides of {tg}, HDL of {hdl} and LDL cholesterol of {ldl} can be expected to "
        "improve.",
        "Ferritin of {ferritin} and haemoglobin of {hb} are sufficient and should be checked "
        "again after a year.",
        "Regular periods are the sign that enough energy is left; missed ones are a warning.",
        "A rate of 0.25 to 0.5 kg a week is enough.",
        "A longer life through this has not been shown in people.",
    ),
    key_hazard=(
        "No special danger was found; too large a deficit with much training would show as missed "
        "periods, tiredness or injury."
    ),
    next_step=(
        "Begin with 250 kcal less and three walks or rides of 40 minutes, two strength sessions a "
        "week, 100 g of protein a day; check weight weekly, lipids after six months, and ease off "
        "for missed periods, dizziness or pain that stays."
    ),
    twin=Twin(
        age=48,
    ),
)
