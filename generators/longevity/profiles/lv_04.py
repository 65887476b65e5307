"""An older man who has become weak and asks about strength training."""

from generators.longevity.distractors import Distractor
from generators.longevity.items import Item, Twin
from generators.longevity.profile import Finding, Profile, Request, measured

ITEM = Item(
    id="lv_04",
    profile=Profile(
        sex="M",
        age=77,
        measurements=measured(
            {
                "height": 174,
                "weight": 74.0,
                "bmi": 24.4,
                "sbp": 134,
                "dbp": 74,
                "hr": 72,
                "glu": 87,
                "a1c": 5.1,
                "tsh": 2.2,
                "crea": 0.58,
                "egfr": 100,
                "ck": 84,
                "hb": 14.4,
                "crp": 1.6,
                "alb": 3.9,
                "na": 140,
                "vitd": 25,
                "grip": 21,
                "chair5": 18.4,
                "gait": 0.70,
                "almi": 6.1,
            },
            meant={
                "bmi": "an ordinary weight that hides little muscle; the rule reads no BMI",
                "sbp": "a common pressure for the age; the rules read 180",
                "dbp": "a normal pressure; the rules read 110",
            },
        ),
        history=(
            Finding(text="two falls at home in the past year, without fainting or injury"),
            Finding(text="blood pressure the same lying and standing, no dizziness on getting up"),
            Finding(text="slow on stairs, only with the banister"),
            Finding(text="cannot open jars any more"),
            Finding(text="weight the same for five years, three meals a day"),
            Finding(text="no chest pain or breathlessness, no fever, no joint pain"),
            Finding(
                text="heart examined half a year ago, nothing found",
                flags=("cardiac_evaluation_done",),
            ),
        ),
        request=Request(
            intervention="EX",
            regimen=(
                "exercise: strength training that starts light and is made heavier step by step, "
                "twice a week in a group led by a physiotherapist, with balance exercises on a "
                "third day, for the next six months"
            ),
            flags=("resistance_training",),
        ),
    ),
    background_short=(
        "I am {age} and have become unsteady. My daughter says that I should take it easy; I would "
        "rather become stronger."
    ),
    background_verbose=(
        "I am {age}, a retired bookkeeper, and since my wife died I have looked after house and "
        "garden on my own. Lately I have become unsteady, and things that used to be easy take me "
        "long. My daughter is worried and says that at my age one should take it easy and not start "
        "anything that could go wrong. I would rather become stronger, so that I can stay in my "
        "house and climb to the attic, where my stamp collection is. In our community centre there "
        "is a course for people over 70, with ten places and a physiotherapist who also came to "
        "measure us. I have the form here and have not signed it yet, because I want to know first "
        "whether it is sensible for somebody with my values."
    ),
    question="Should I take up {regimen}, to remain healthy and independent for longer?",
    distractor=Distractor(
        topics=("blood group", "birthplace", "wisdom teeth", "horoscope"),
        text=(
            "My blood group is B, I was born by the sea and had my wisdom teeth out fifty years "
            "ago. My horoscope advises patience this month."
        ),
    ),
    commentary=(
        "Grip strength of {grip}, five chair rises in {chair5} and an appendicular lean mass index "
        "of {almi} are below the EWGSOP2 limits for men (27 kg, 15 s, 7.0 kg/m2), and a gait speed "
        "of {gait} makes it severe: sarcopenia, with two falls already. BMI of {bmi} hides it, and "
        "the low creatinine of {crea} comes from little muscle, so that the eGFR of {egfr} "
        'flatters. The rule that decides says "progressive resistance is first-line" (ICFSR 2018). '
        "Nothing in the history or the values is on a stop list for training. Falls and age are "
        "reasons to train under guidance and to add balance, not reasons to abstain: staying "
        "inactive takes more strength and leads to further falls. Protein of about 1.2 g/kg a day "
        "or more and no weight-reducing diet belong to it."
    ),
    keywords=(
        "grip strength",
        "lean mass",
        "sarcopenia",
        "progressive resistance training",
        "balance training",
        "falls",
        "protein",
        "physiotherapist",
    ),
    critical_facts=(
        "Grip strength of {grip}, chair rises in {chair5} and a lean mass index of {almi} show "
        "too little muscle with too little strength.",
        "Progressive resistance training is the treatment of first choice for this.",
        "Not training is the greater danger: strength goes on falling and falls go on happening.",
    ),
    supporting_facts=(
        "A gait speed of {gait} and two falls in a year show that function is already affected.",
        "A BMI of {bmi} hides the lack of muscle.",
        "Creatinine of {crea} is low for want of muscle, so the eGFR of {egfr} looks better than "
        "the kidneys may be.",
        "Balance exercises and guidance by a physiotherapist lower the risk of falling in "
        "training.",
        "Enough protein supports the training, and a weight-reducing diet would work against it.",
        "Neither symptoms nor blood pressure forbid training.",
    ),
    key_hazard=(
        "A fall or strain in the first weeks if the load is too high for legs this weak; and, if "
        "he does not train, further loss of strength with further falls."
    ),
    next_step=(
        "Sign up: start with light loads under the physiotherapist, raise them every one to two "
        "weeks as long as the form is good, train balance within reach of a support, take protein "
        "with each meal, measure grip and chair rises again after three months, and stop and "
        "report chest pain, fainting, fever or a new fall."
    ),
    twin=Twin(age=84),
)
