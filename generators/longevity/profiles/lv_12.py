"""An older woman who has grown weak and wants to become lighter."""

from generators.longevity.distractors import Distractor
from generators.longevity.items import Item, Twin
from generators.longevity.profile import Finding, Profile, Request, measured

ITEM = Item(
    id="lv_12",
    profile=Profile(
        sex="F",
        age=71,
        measurements=measured(
            {
                "height": 161,
                "weight": 69.5,
                "bmi": 26.8,
                "sbp": 132,
                "dbp": 76,
                "hr": 72,
                "glu": 88,
                "a1c": 5.1,
                "chol": 214,
                "ldl": 130,
                "hdl": 58,
                "tg": 130,
                "tsh": 2.0,
                "crea": 0.58,
                "egfr": 97,
                "hb": 13.5,
                "crp": 2.3,
                "alb": 3.9,
                "vitd": 24,
                "grip": 13,
                "chair5": 18.6,
                "gait": 0.70,
                "almi": 4.8,
            },
            meant={
                "bmi": "a common weight that hides little muscle; the deciding rule reads no BMI",
                "sbp": "a common pressure for the age; the rules read 180",
                "dbp": "a common pressure; the rules read 110",
            },
        ),
        history=(
            Finding(
                text="hands too weak to open a bottle, legs too weak to get up from a chair without a push",
            ),
            Finding(
                text=(
                    "slower than the others on walks, stumbling often, one fall in the past year "
                    "without injury"
                ),
            ),
            Finding(
                text=(
                    "sweaters sit loosely at the shoulders although the scales show the same as "
                    "ten years ago"
                ),
            ),
            Finding(
                text="little meat, no trouble with swallowing or digestion",
            ),
            Finding(
                text="no chest pain, no breathlessness, no fever",
            ),
        ),
        request=Request(
            intervention="CR",
            regimen="caloric restriction, 500 kcal a day less than I need, until I weigh 60 kg",
        ),
    ),
    background_short=(
        "I am {age} and everything has become laborious. I think that it would be easier with ten "
        "kilos less to carry."
    ),
    background_verbose=(
        "I am {age} and share a house with my sister, who is two years older and far quicker on "
        "her feet than I. She is slim, and I have always been the round one. Lately I feel as if "
        "I carried a rucksack up the stairs, and so I thought that I should take it off: ten "
        "kilos less, as in our twenties. There was also a broadcast about people who eat less and "
        "keep young cells, which convinced both of us. My sister would cook for us. At the senior "
        "centre they measured us with all sorts of devices, and I have brought home a page of "
        "numbers that nobody explained, because the young man was only there to measure."
    ),
    question="Should I go on {regimen}, to stay healthy and mobile for longer?",
    distractor=Distractor(
        topics=(
            "siblings",
            "crosswords",
            "microbiome report",
        ),
        text=(
            "I have one sister, and we do the crossword together on Sundays. A report that came "
            "by post says that the bacteria of my gut are of type B."
        ),
    ),
    commentary=(
        "Grip strength of {grip}, five chair rises in {chair5} and an appendicular lean mass "
        "index of {almi} are below the EWGSOP2 limits for women (16 kg, 15 s, 5.5 kg/m2), and a "
        "gait speed of {gait} makes it severe: sarcopenia. The heaviness that she feels is "
        "missing muscle, not weight; a BMI of {bmi} hides it, and creatinine of {crea} is low for "
        'the same reason. The rule that decides says "loses muscle that is already short" (ESPEN '
        "2019; ICFSR 2018). A deficit of 500 kcal would take muscle along with fat, and "
        "weight-reducing diets are to be avoided in older people without obesity. What helps is "
        "progressive strength training with balance exercises and more protein."
    ),
    keywords=(
        "grip strength",
        "chair rises",
        "lean mass",
        "sarcopenia",
        "muscle",
        "resistance training",
        "protein",
        "falls",
    ),
    critical_facts=(
        "Grip strength of {grip}, chair rises in {chair5} and a lean mass index of {almi} "
        "show too little muscle with too little strength.",
        "Eating less would take more of the muscle that is already missing.",
        "The heaviness comes from weak muscles and not from the weight, so losing weight is "
        "the wrong remedy.",
    ),
    supporting_facts=(
        "A gait speed of {gait} and the fall show that function is already affected.",
        "A BMI of {bmi} is no obesity, and weight reduction is discouraged at this age without it.",
        "Loose shoulders at an unchanged weight mean that muscle has been replaced by fat.",
        "Progressive strength training is the treatment of first choice.",
        "Protein of 1.2 g/kg a day or more supports it; at present she eats little of it.",
    ),
    key_hazard="Further loss of muscle on the diet: falls, fractures and loss of independence.",
    next_step=(
        "Do not start the diet; have the weakness assessed within weeks (including vitamin D, TSH "
        "and a look at the medication of the past), begin guided strength training twice and "
        "balance three times a week, and eat protein with every meal. Measure grip and chair "
        "rises again after three months."
    ),
    twin=Twin(
        age=64,
        commentary=(
            "Grip strength of {grip}, five chair rises in {chair5} and an appendicular lean mass "
            "index of {almi} are below the EWGSOP2 limits for women (16 kg, 15 s, 5.5 kg/m2), and "
            "a gait speed of {gait} makes it severe: sarcopenia. The heaviness that she feels is "
            "missing muscle, not weight; a BMI of {bmi} hides it, and creatinine of {crea} is low "
            'for the same reason. The rule that decides says "loses muscle that is already short" '
            "(ESPEN 2019; ICFSR 2018). At {age} with this BMI and ordinary muscle a moderate "
            "deficit could be advisable; it is the missing muscle that speaks against it, since "
            "500 kcal less would take muscle along with fat. What helps is progressive strength "
            "training with balance exercises and more protein."
        ),
        supporting_facts=(
            "A gait speed of {gait} and the fall show that function is already affected.",
            "A BMI of {bmi} is no obesity and hides the lack of muscle.",
            "Loose shoulders at an unchanged weight mean that muscle has been replaced by fat.",
            "Progressive strength training is the treatment of first choice.",
            "Protein of 1.2 g/kg a day or more supports it; at present she eats little of it.",
        ),
    ),
)
