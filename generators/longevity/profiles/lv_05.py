"""A slim young woman with rare periods who wants to fast."""

from generators.longevity.distractors import Distractor
from generators.longevity.items import Item, Twin
from generators.longevity.profile import Finding, Profile, Request, measured

ITEM = Item(
    id="lv_05",
    profile=Profile(
        sex="F",
        age=27,
        measurements=measured(
            {
                "height": 167,
                "weight": 62.5,
                "bmi": 22.4,
                "sbp": 106,
                "dbp": 62,
                "hr": 66,
                "glu": 84,
                "a1c": 5.1,
                "ogtt2h": 112,
                "insulin": 13.5,
                "homa": 2.8,
                "chol": 202,
                "ldl": 130,
                "hdl": 56,
                "tg": 82,
                "tsh": 1.8,
                "lh": 13.4,
                "fsh": 5.1,
                "tt": 71,
                "shbg": 24,
                "fai": 10.3,
                "prl": 14.2,
                "ohp17": 74,
                "hb": 13.4,
                "ferritin": 54,
            },
            meant={
                "bmi": (
                    "an ordinary weight is the point; the condition reads 25 and the verdict is "
                    "the same above it only as contestable"
                ),
            },
        ),
        history=(
            Finding(
                text="periods every 50 to 70 days for years, six or seven a year",
                flags=("oligo_cycles",),
            ),
            Finding(
                text="coarse dark hair on chin and belly, acne along the jaw",
                flags=("hirsutism",),
            ),
            Finding(
                text="ultrasound: more than twenty small follicles in each ovary",
                flags=("pco_morphology",),
            ),
            Finding(
                text="weight within two kilos of the present one since leaving school",
            ),
            Finding(
                text="no hormones or pill in the last three years, pregnancy test negative",
            ),
            Finding(
                text="food and figure a good deal on my mind, never treated for that",
            ),
        ),
        request=Request(
            intervention="IF",
            regimen=(
                "intermittent fasting with one meal a day on four days of the week and a usual "
                "diet on the other three, for a year"
            ),
        ),
    ),
    background_short=(
        "I am {age} and healthy, as far as I know. I should like to fast regularly so that I stay "
        "young for longer."
    ),
    background_verbose=(
        "I am {age}, share a flat with two friends and work in a bookshop. Both of my flatmates "
        "fast, and when we sit together in the evening there is talk about cells that clean "
        "themselves when no food comes in. I like the thought that I could do something for my "
        "later years at so little cost. My weight is not a problem; my skin and my cycle have "
        "been a nuisance for so long that I have stopped thinking about them. Before I begin I "
        "had a broad set of tests done, because I like to know what I am starting from. Nobody "
        "has talked them over with me so far."
    ),
    question="Would you advise me to take up {regimen}, for the sake of a long and healthy life?",
    distractor=Distractor(
        topics=(
            "glasses",
            "tattoo",
            "star sign",
        ),
        text=(
            "I wear glasses for short sight, have a small tattoo of a feather on one ankle and am "
            "a Virgo."
        ),
    ),
    commentary=(
        "Periods every 50 to 70 days, coarse hair and acne with total testosterone of {tt}, SHBG "
        "of {shbg} and a free androgen index of {fai}, and many small follicles in both ovaries "
        "are the picture of polycystic ovary syndrome in a slim woman; TSH of {tsh}, prolactin of "
        "{prl} and 17-OH-progesterone of {ohp17} speak against its imitators. The rule that "
        'decides says "no excess weight; may worsen ovulation and eating pathology; diagnose and '
        'treat" (Teede 2023). With a BMI of {bmi} there is nothing to lose; the guideline sets '
        "healthy habits and the avoidance of later weight gain as the aim, warns against unduly "
        "restrictive diets and asks to look for disordered eating at any weight. HOMA-IR of "
        "{homa} hints at insulin resistance, which is no reason to fast. First the diagnosis, "
        "then cycles, skin and metabolism treated; regular exercise and ordinary balanced meals "
        "are advised meanwhile."
    ),
    keywords=(
        "irregular cycles",
        "testosterone",
        "free androgen index",
        "polycystic ovary syndrome",
        "ovulation",
        "disordered eating",
        "normal BMI",
        "gynaecologist or endocrinologist",
    ),
    critical_facts=(
        "Rare periods with raised androgens ({tt} of testosterone, free androgen index {fai}) "
        "and many follicles point to polycystic ovary syndrome, which has not been diagnosed "
        "yet.",
        "With a BMI of {bmi} there is no excess weight that fasting could take off.",
        "Long fasts can disturb ovulation further and can start or feed disordered eating.",
        "Diagnosis and treatment of the hormonal disorder come before any fasting.",
    ),
    supporting_facts=(
        "TSH, prolactin and 17-OH-progesterone are in range, which excludes the common imitators.",
        "SHBG of {shbg} is low, as it often is with insulin resistance.",
        "The two-hour glucose of {ogtt2h} is normal, so blood sugar gives no reason to hurry.",
        "Regular exercise and balanced meals are recommended to everyone with this disorder, "
        "whatever the weight.",
        "Her preoccupation with food and figure should be asked about before any restriction.",
    ),
    key_hazard=(
        "Fasting without weight to spare can suppress ovulation further and tip a preoccupation "
        "with food into an eating disorder."
    ),
    next_step=(
        "Do not start the fasts; see a gynaecologist or endocrinologist within weeks to settle "
        "the diagnosis, talk about cycle protection, skin and fertility wishes, and be asked "
        "about eating and mood. Keep regular meals and take up 150 minutes of activity a week."
    ),
    twin=Twin(
        age=36,
    ),
)
