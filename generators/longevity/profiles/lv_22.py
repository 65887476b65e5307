"""A heavier woman with raised lipoprotein(a) who wants to eat in a window."""

from generators.longevity.distractors import Distractor
from generators.longevity.items import Item, Twin
from generators.longevity.profile import Finding, Profile, Request, measured

ITEM = Item(
    id="lv_22",
    profile=Profile(
        sex="F",
        age=33,
        measurements=measured(
            {
                "height": 165,
                "weight": 79.0,
                "bmi": 29.0,
                "sbp": 126,
                "dbp": 82,
                "hr": 72,
                "glu": 88,
                "a1c": 5.1,
                "insulin": 9.8,
                "homa": 2.1,
                "chol": 216,
                "ldl": 136,
                "hdl": 56,
                "tg": 118,
                "lpa": 104,
                "tsh": 2.0,
                "crea": 0.70,
                "egfr": 117,
                "alt": 20,
                "hb": 13.5,
                "ferritin": 58,
                "crp": 1.8,
            },
            meant={
                "bmi": "overweight on purpose; the verdict is the same 10 % above and below",
                "sbp": "a common pressure; the rules read 180",
                "dbp": "a common pressure; the rules read 110",
            },
        ),
        history=(
            Finding(
                text="9 kg more than five years ago, with snacks late in the evening",
            ),
            Finding(
                text="no illness, periods regular, not pregnant and not nursing",
            ),
            Finding(
                text="no trouble with eating, now or earlier, no gout, no dizziness",
            ),
            Finding(
                text="work in the daytime only",
            ),
            Finding(
                text="lipoprotein(a) measured because an uncle has it too",
            ),
        ),
        request=Request(
            intervention="IF",
            regimen=(
                "intermittent fasting with an eating window from eight to six, ordinary balanced "
                "meals inside it, for six months"
            ),
        ),
    ),
    background_short="I am {age} and want to lose some weight with an eating window, and age better.",
    background_verbose=(
        "I am {age} and do the bookkeeping of a tree nursery. The evenings are my problem: once "
        "the children of my sister, whom I look after on two days, are asleep, the kitchen "
        "cupboard opens by itself. An eating window that closes at six would solve that without "
        "my having to count anything. I know that it will not make me live for ever, but I should "
        "like to be lighter and keep my values where they are. The only thing that gives me pause "
        "is a value I had measured because my uncle has it: it is somewhat raised, and on the "
        "internet they write terrible things about it. Perhaps one must not fast with it."
    ),
    question="Is it all right for me to start {regimen}, with a view to healthy ageing?",
    distractor=Distractor(
        topics=(
            "eye or hair colour",
            "crosswords",
            "podcast",
        ),
        text=(
            "I have dark hair, like number crosswords, and heard a podcast in which somebody says "
            "the whole thing is a fashion."
        ),
    ),
    commentary=(
        "With a BMI of {bmi} and evening snacks there is something to gain, and no reason against "
        "a window of ten hours with ordinary meals: no diabetes drug, no eating disorder, not "
        "pregnant or nursing, no gout, no shift work, sugar, TSH, kidney and liver in range. The rule "
        'that decides says "equal to, not better than, daily restriction; an option" (Liu 2022; Lin 2023; '
        "Semnani-Azad 2025): the window works as well as daily restriction, because less is "
        "eaten, and not better. Lipoprotein(a) of {lpa} is inherited and is not changed by any "
        "diet; it adds to the lifetime risk for the vessels and is a reason to care for LDL "
        "cholesterol ({ldl}) and pressure, but none against the window. Enough protein and some "
        "training protect the muscles."
    ),
    keywords=(
        "eating window",
        "BMI",
        "daily restriction",
        "lipoprotein(a)",
        "LDL cholesterol",
        "protein",
        "option",
        "no proof of longer life",
    ),
    critical_facts=(
        "With a BMI of {bmi} and no contraindication an eating window is an advisable option.",
        "It works by less being eaten, and not better than restriction spread over the day.",
        "Lipoprotein(a) of {lpa} is inherited, is not changed by diet and is no reason "
        "against the window.",
    ),
    supporting_facts=(
        "The late snacks are just what the window removes.",
        "LDL cholesterol of {ldl} deserves attention because of the lipoprotein(a).",
        "Enough protein and strength training limit the loss of muscle.",
        "She takes no drug and has no history that would make fasting risky.",
        "A longer life through fasting has not been shown.",
    ),
    key_hazard=(
        "No special danger was found; binge eating in the window, dizziness or disturbed periods "
        "would be reasons to stop."
    ),
    next_step=(
        "Try it for three months: three meals between eight and six with protein in each, water "
        "freely, two strength sessions a week; weigh weekly, repeat the lipids after three months "
        "and mention the lipoprotein(a) to the doctor. Stop for binges, dizziness or missed "
        "periods, and before a pregnancy."
    ),
    twin=Twin(
        age=45,
    ),
)
