"""A young woman with weight gain who wants to eat less."""

from generators.longevity.distractors import Distractor
from generators.longevity.items import Item, Twin
from generators.longevity.profile import Finding, Profile, Request, measured

ITEM = Item(
    id="lv_01",
    profile=Profile(
        sex="F",
        age=31,
        measurements=measured(
            {
                "height": 168,
                "weight": 76.0,
                "bmi": 26.9,
                "sbp": 124,
                "dbp": 92,
                "hr": 56,
                "glu": 84,
                "a1c": 5.1,
                "chol": 262,
                "ldl": 170,
                "hdl": 58,
                "tg": 172,
                "tsh": 42.0,
                "ft4": 0.45,
                "ft3": 1.9,
                "crea": 0.98,
                "egfr": 79,
                "ck": 232,
                "hb": 13.3,
                "ferritin": 58,
                "na": 136,
            },
            meant={
                "bmi": "the weight belongs to the pattern; the deciding rule reads no BMI",
                "sbp": "a slightly high pressure belongs to the pattern; no rule reads it here",
                "dbp": "a raised diastolic pressure belongs to the pattern; the rules read 110",
            },
        ),
        history=(
            Finding(text="tired all day for about ten months"),
            Finding(text="cold when others are not, even indoors"),
            Finding(text="constipated, dry skin"),
            Finding(text="periods regular but heavier than before"),
            Finding(text="7 kg gained in ten months without eating or moving differently"),
            Finding(text="pregnancy test negative, no wish for a child at present"),
            Finding(text="no illness known, no doctor has discussed these results yet"),
        ),
        request=Request(
            intervention="CR",
            regimen=(
                "caloric restriction, about 500 kcal a day less than I need with enough protein "
                "and vitamins, for the next twelve months"
            ),
        ),
    ),
    background_short=(
        "I am {age} and would like to stay healthy for as long as possible. I have put on weight "
        "and want to eat less."
    ),
    background_verbose=(
        "I am {age}, and over the last months I have read a great deal about people who want to "
        "slow down their ageing. What convinced me most is the idea that eating less, without "
        "going short of any nutrient, keeps the heart and the blood vessels young. I have put on "
        "weight, so it seems to be the right moment. I have already bought a kitchen scale and "
        "written a plan for the first four weeks. Because I want to build it on numbers and not on "
        "enthusiasm, I had a check-up done at my own expense. The results came by post, without "
        "an explanation, and I would like to have them judged together with my plan."
    ),
    question="Should I start now with {regimen}, in order to age more slowly?",
    distractor=Distractor(
        topics=("left-handedness", "siblings", "biological age app"),
        text=(
            "I am left-handed and have two brothers. An app on my phone, which does not say how it "
            "works it out, puts my biological age two years below the real one."
        ),
    ),
    commentary=(
        "TSH {tsh} with free T4 {ft4} is overt, untreated primary hypothyroidism. Tiredness, "
        "feeling cold, constipation, dry skin, heavier periods, a pulse of {hr}, the raised "
        "diastolic pressure, a creatine kinase of {ck} and weight gained on an unchanged diet are "
        "its pattern, and the LDL cholesterol of {ldl} and the triglycerides of {tg} are largely "
        'its consequence. The rule that decides says "replace hormone first; restriction lowers '
        'T3 more" (NICE NG145; Weiss 2008). Free T3 is already {ft3}; a deficit would push it '
        "further down and would treat a hormone deficit as overeating. In a healthy adult under "
        "65 with a BMI of 25 or more a moderate deficit would be advisable (Kraus 2019), so the "
        "answer is not now rather than never: hormone replacement, TSH again after 6-12 weeks, "
        "then a fresh look at weight and lipids."
    ),
    keywords=(
        "TSH",
        "free T4",
        "hypothyroidism",
        "levothyroxine",
        "free T3",
        "LDL cholesterol",
        "weight gain",
        "treat first",
    ),
    critical_facts=(
        "TSH {tsh} together with free T4 {ft4} shows an untreated lack of thyroid hormone.",
        "The weight gain on an unchanged diet and the raised blood lipids are explained by this "
        "lack, not by eating too much.",
        "Restricting calories lowers active thyroid hormone (T3) further, and free T3 is already "
        "low at {ft3}.",
        "Hormone replacement comes first; the wish to restrict is looked at again when TSH is "
        "back in range.",
    ),
    supporting_facts=(
        "Tiredness, feeling cold, constipation, dry skin and heavier periods fit the laboratory "
        "picture.",
        "The slow pulse ({hr}) and the raised diastolic pressure ({dbp}) fit it too.",
        "Creatine kinase of {ck} shows that the muscles are affected.",
        "LDL cholesterol ({ldl}) and triglycerides ({tg}) should be measured again under "
        "treatment before anything else is done about them.",
        "In a healthy overweight adult under 65 a moderate calorie deficit would improve "
        "weight, blood pressure and LDL cholesterol.",
    ),
    key_hazard=(
        "Eating less during an untreated lack of thyroid hormone lowers T3 further and delays the "
        "treatment of the real cause."
    ),
    next_step=(
        "See a physician within days: confirm TSH and free T4, measure thyroid antibodies, begin "
        "levothyroxine, check TSH after 6-12 weeks, and decide about the diet only then. Gentle "
        "walking and normal meals in the meantime."
    ),
    twin=Twin(age=44),
)
