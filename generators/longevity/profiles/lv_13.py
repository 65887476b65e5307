"""An older woman with obesity who wants to eat less and train."""

from generators.longevity.distractors import Distractor
from generators.longevity.items import Item, Twin
from generators.longevity.profile import Finding, Profile, Request, measured

ITEM = Item(
    id="lv_13",
    profile=Profile(
        sex="F",
        age=68,
        measurements=measured(
            {
                "height": 162,
                "weight": 91.0,
                "bmi": 34.7,
                "sbp": 138,
                "dbp": 82,
                "hr": 74,
                "glu": 88,
                "a1c": 5.1,
                "chol": 224,
                "ldl": 133,
                "hdl": 56,
                "tg": 175,
                "tsh": 2.3,
                "crea": 0.70,
                "egfr": 94,
                "alt": 21,
                "hb": 13.6,
                "alb": 4.2,
                "vitd": 26,
                "grip": 22,
                "chair5": 13.2,
                "gait": 0.92,
                "tscore": -0.6,
            },
            meant={
                "sbp": "a raised pressure that loss would improve; the rules read 180",
                "dbp": "a common pressure; the rules read 110",
            },
        ),
        history=(
            Finding(
                text="knees ache after long stairs, an X-ray shows moderate wear",
            ),
            Finding(
                text="errands take longer than five years ago",
            ),
            Finding(
                text="last period at 49, no falls, no broken bones as an adult",
            ),
            Finding(
                text="heart checked with a stress test half a year ago, nothing found",
                flags=("cardiac_evaluation_done",),
            ),
            Finding(
                text="weight steady for eight years, no trouble with eating",
            ),
        ),
        request=Request(
            intervention="CE",
            regimen=(
                "caloric restriction together with exercise: 500 kcal a day less than I need with "
                "90 g of protein, and three sessions a week of strength and endurance training in "
                "a group led by a physiotherapist, for six months"
            ),
        ),
    ),
    background_short=(
        "I am {age} and much too heavy. I want to lose weight and train so that I can do things "
        "on my own for a long time."
    ),
    background_verbose=(
        "I am {age}, live in a ground-floor flat with a small garden and am the one in the family "
        "who bakes. I have been heavy for a long time. It never bothered me much, but now the bags "
        "from the market have become a burden and I sit down on every bench. My sister-in-law "
        "works in a health centre that offers a course: eating with a dietitian and training with "
        "a physiotherapist, half a year, in one group. My neighbour says that one should leave the "
        "weight alone because losing it only makes one weak. I do not know whom to believe, so I "
        "had everything measured beforehand that the course leader wanted to have."
    ),
    question="Is it a good idea for me to join {regimen}, for a long and independent life?",
    distractor=Distractor(
        topics=(
            "eye or hair colour",
            "wisdom teeth",
            "star sign",
        ),
        text=(
            "I have grey hair that used to be red, my wisdom teeth were taken out long ago, and I "
            "am a Capricorn."
        ),
    ),
    commentary=(
        "At {age} with a BMI of {bmi} the obesity itself limits what she can do, and the plan "
        'joins the deficit with training and protein. The rule that decides says "combined '
        'aerobic + resistance protects function, lean mass and hip bone during loss" (Villareal '
        "2017; ESPEN 2019): in obese people over 65 diet with combined training gave the best "
        "function, and the guideline allows weight reduction at this age in obesity when it goes "
        "with exercise. Grip of {grip}, chair rises in {chair5} and a T-score of {tscore} show "
        "that muscle and bone can bear it, the heart has been examined, and kidney, TSH and blood "
        "count are in range. The neighbour is right about dieting without training, and wrong "
        "here. The deficit must stay moderate and the protein at 1 g/kg or more."
    ),
    keywords=(
        "obesity",
        "combined training",
        "protein",
        "moderate deficit",
        "physical function",
        "muscle and bone",
        "physiotherapist",
        "monitoring",
    ),
    critical_facts=(
        "With a BMI of {bmi} a moderate deficit together with strength and endurance training "
        "is advisable even at this age.",
        "The training and the protein protect muscle, bone and function while weight is lost; "
        "the diet alone would not be advisable.",
        "Muscle, bone and heart have been examined and do not stand in the way.",
    ),
    supporting_facts=(
        "In trials obese older people gained most function from diet with combined training.",
        "Grip of {grip}, chair rises in {chair5} and a T-score of {tscore} are the starting "
        "values to follow.",
        "Pressure of {sbp} and triglycerides of {tg} should improve.",
        "Worn knees profit from less weight and stronger thighs.",
        "Pressure and strength should be checked on the way.",
    ),
    key_hazard=(
        "Loss of muscle and bone if the deficit grows or the training lapses; then the diet must "
        "stop."
    ),
    next_step=(
        "Join the course: no more than 500 kcal below need, 90 g of protein spread over three "
        "meals, no more than 0.5 to 1 kg a week; measure grip and chair rises after three months, "
        "and pause the diet for falls, illness or missed training."
    ),
    twin=Twin(
        age=52,
        commentary=(
            "With a BMI of {bmi}, pressure of {sbp} and triglycerides of {tg} there is much to "
            "gain, and the plan joins the deficit with training and protein. The rule that "
            'decides says "half diet half exercise: same fat loss, more fitness, insulin '
            'sensitivity and LDL effect" (Larson-Meyer 2010). Nothing stands in the way: the '
            "heart has been examined, grip of {grip}, chair rises in {chair5} and a T-score of "
            "{tscore} are good, kidney, TSH and blood count are in range. The neighbour is right "
            "about dieting without training, and wrong here. The deficit should stay moderate and "
            "the protein at 1 g/kg or more."
        ),
        critical_facts=(
            "With a BMI of {bmi} a moderate deficit together with strength and endurance "
            "training is advisable.",
            "The training and the protein protect muscle, bone and function while weight is lost.",
            "Muscle, bone and heart have been examined and do not stand in the way.",
        ),
        supporting_facts=(
            "Diet with training takes off as much fat as diet alone and improves fitness and "
            "insulin sensitivity more.",
            "Grip of {grip}, chair rises in {chair5} and a T-score of {tscore} are the "
            "starting values to follow.",
            "Pressure of {sbp} and triglycerides of {tg} should improve.",
            "Worn knees profit from less weight and stronger thighs.",
            "Pressure and strength should be checked on the way.",
        ),
    ),
)
