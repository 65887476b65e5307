"""A heavy young woman with rare periods who wants to become active."""

from generators.longevity.distractors import Distractor
from generators.longevity.items import Item, Twin
from generators.longevity.profile import Finding, Profile, Request, measured

ITEM = Item(
    id="lv_08",
    profile=Profile(
        sex="F",
        age=29,
        measurements=measured(
            {
                "height": 170,
                "weight": 98.0,
                "bmi": 33.9,
                "waist": 104,
                "sbp": 126,
                "dbp": 82,
                "hr": 78,
                "glu": 88,
                "a1c": 5.1,
                "ogtt2h": 122,
                "insulin": 22.0,
                "homa": 4.8,
                "chol": 212,
                "ldl": 133,
                "hdl": 43,
                "tg": 182,
                "tsh": 2.2,
                "tt": 66,
                "shbg": 18,
                "fai": 12.7,
                "prl": 16.0,
                "ohp17": 88,
                "alt": 31,
                "ck": 98,
                "hb": 13.6,
            },
            meant={
                "sbp": "a common pressure at this weight; the rules read 180",
                "dbp": "a common pressure at this weight; the rules read 110",
            },
        ),
        history=(
            Finding(
                text="periods every two to three months since school",
                flags=("oligo_cycles",),
            ),
            Finding(
                text="chin shaved twice a week",
                flags=("hirsutism",),
            ),
            Finding(
                text="dark velvety skin at the neck",
            ),
            Finding(
                text="pregnancy test negative, no wish for a child at present",
            ),
            Finding(
                text="five floors of stairs without chest trouble, nothing wrong with back or joints",
            ),
            Finding(
                text="no illness known, little movement since school",
            ),
        ),
        request=Request(
            intervention="EX",
            regimen=(
                "exercise: brisk walking or cycling up to 150 minutes a week and two sessions of "
                "strength training a week, built up over eight weeks and kept up"
            ),
        ),
    ),
    background_short="I am {age}, too heavy, and want to start moving so that I stay healthy.",
    background_verbose=(
        "I am {age} and design labels for a small brewery, which means that I sit from morning "
        "till evening. I have been heavy since school, and every attempt with a diet ended with "
        "more than before. What I have never really tried is to move. A colleague has persuaded "
        "me to come along, and I have found a place that is open late and has no mirrors. My "
        "mother thinks that somebody with my figure and my odd cycle should first be looked at "
        "from head to toe, and that I might do myself harm. I had a set of tests done by a "
        "women's clinic; the talk about them is in two months and I do not want to wait if I need "
        "not."
    ),
    question="Should I begin with {regimen}, to live longer in good health?",
    distractor=Distractor(
        topics=(
            "left-handedness",
            "crosswords",
            "horoscope",
        ),
        text="I am left-handed and fond of crosswords. My horoscope speaks of a quiet month.",
    ),
    commentary=(
        "Rare periods, hair on the chin, total testosterone of {tt}, SHBG of {shbg} and a free "
        "androgen index of {fai} with TSH, prolactin and 17-OH-progesterone in range are "
        "polycystic ovary syndrome with overweight; HOMA-IR of {homa}, triglycerides of {tg}, HDL "
        "of {hdl} and ALT of {alt} are its metabolic side. Here the hidden disease is no reason "
        'to wait. The rule that decides says "recommended for all with PCOS" (Teede 2023): the '
        "guideline recommends exercise, alone or with diet, for metabolic health to everyone with "
        "the disorder, and benefits come even without weight loss. Nothing in the history is on a "
        "stop list, and the plan builds up slowly. The appointment about diagnosis, cycle and "
        "sugar goes on in parallel."
    ),
    keywords=(
        "exercise",
        "polycystic ovary syndrome",
        "androgens",
        "insulin resistance",
        "irregular cycles",
        "triglycerides",
        "build up slowly",
        "diagnosis in parallel",
    ),
    critical_facts=(
        "Exercise is advisable now: moderate activity and strength training improve insulin "
        "resistance and lipids even without weight loss.",
        "Rare periods, excess hair and a free androgen index of {fai} point to polycystic "
        "ovary syndrome, for which exercise is recommended to everyone.",
        "Nothing in the history or the values forbids training; the work-up runs in parallel "
        "and is no reason to wait.",
    ),
    supporting_facts=(
        "HOMA-IR of {homa} with dark skin at the neck shows insulin resistance.",
        "Triglycerides of {tg}, HDL of {hdl} and ALT of {alt} are expected to improve with "
        "training.",
        "The two-hour glucose of {ogtt2h} is still normal and should be repeated over the years.",
        "The slow build-up protects joints and tendons at a BMI of {bmi}.",
        "Very rare periods need protection of the lining of the womb, to be discussed at the "
        "appointment.",
    ),
    key_hazard=(
        "Overuse injury if the load rises too fast at this weight; no special danger was found, "
        "and leaving exercise out would do harm."
    ),
    next_step=(
        "Start this week with three walks of 20 minutes, add 10 percent a week up to 150 minutes "
        "and two strength sessions; slow down for joint pain, stop for chest pain or fainting. "
        "Keep the appointment about cycles, androgens and sugar."
    ),
    twin=Twin(
        age=43,
    ),
)
