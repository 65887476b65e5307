"""A healthy man who sits a lot and wants to begin exercise."""

from generators.longevity.distractors import Distractor
from generators.longevity.items import Item, Twin
from generators.longevity.profile import Finding, Profile, Request, measured

ITEM = Item(
    id="lv_21",
    profile=Profile(
        sex="M",
        age=30,
        measurements=measured(
            {
                "height": 179,
                "weight": 75.5,
                "bmi": 23.6,
                "sbp": 124,
                "dbp": 78,
                "hr": 74,
                "glu": 87,
                "a1c": 5.1,
                "chol": 200,
                "ldl": 129,
                "hdl": 45,
                "tg": 128,
                "tsh": 2.4,
                "crea": 0.88,
                "egfr": 119,
                "alt": 25,
                "ck": 112,
                "hb": 15.3,
                "crp": 1.4,
            },
            meant={
                "bmi": "an ordinary weight; the rule reads no BMI",
                "sbp": "a common pressure; the rules read 180",
                "dbp": "a common pressure; the rules read 110",
            },
        ),
        history=(
            Finding(
                text=(
                    "sitting nine hours a day, out of breath after four floors but recovered within a "
                    "minute, no chest pain, no fainting"
                ),
            ),
            Finding(
                text="no illness, no operation except a hernia in childhood",
            ),
            Finding(
                text="no sudden death or heart disease in the family",
            ),
            Finding(
                text="never smoked, weight steady",
            ),
        ),
        request=Request(
            intervention="EX",
            regimen=(
                "exercise: 150 minutes of brisk walking or easy cycling a week and two strength "
                "sessions with the weight of my own body, built up over two months and then kept "
                "up"
            ),
        ),
    ),
    background_short="I am {age} and sit all day. I want to begin to move, for the long term.",
    background_verbose=(
        "I am {age} and control trains from a desk with six screens, in shifts that have "
        "meanwhile been given up in favour of fixed days. Everything in my life has wheels: "
        "chair, tram, scooter. On the stairs at my aunt's I noticed that a woman with two "
        "shopping bags overtook me, and that has stayed with me. I do not want to become an "
        "athlete. I would like to be able to carry my own bags when I am old. My plan is on one "
        "page. A friend says that one must have a stress test and a heart scan before one starts "
        "such a thing, and that one can drop dead otherwise. I have no complaints, and the "
        "company doctor had the usual blood values taken."
    ),
    question="Should I start {regimen}, for a long life in good health?",
    distractor=Distractor(
        topics=(
            "birthplace",
            "wisdom teeth",
            "microbiome report",
        ),
        text=(
            "I was born abroad, two wisdom teeth were taken out years ago, and a test from the "
            "internet calls the bacteria in my gut diverse."
        ),
    ),
    commentary=(
        "Nothing in the history, the pressure of {sbp} or the values speaks against moderate "
        "exercise that is built up slowly: no symptoms on effort, no fainting, no early heart "
        "disease in the family, normal blood count, creatine kinase and kidney. The rule that "
        'decides says "150-300 min moderate + 2 strength sessions a week; balance from 65" (WHO '
        "2020), and his plan is just that. Being out of breath after four floors with quick "
        "recovery is lack of training. A stress test or scan before moderate activity is not "
        "needed for a healthy person without symptoms. HDL of {hdl} and the pulse of {hr} will "
        "show the benefit. The greater risk is to go on sitting."
    ),
    keywords=(
        "150 minutes",
        "strength training",
        "no symptoms",
        "no stress test needed",
        "build up slowly",
        "WHO guideline",
        "sitting",
        "warning signs",
    ),
    critical_facts=(
        "He is healthy and without symptoms, so the plan is advisable and can begin now.",
        "150 minutes of moderate activity and two strength sessions a week are what the "
        "guideline recommends.",
        "A stress test is not needed before moderate exercise in a healthy person without "
        "symptoms.",
    ),
    supporting_facts=(
        "Breathlessness after four floors with quick recovery is a sign of lack of training.",
        "Pressure of {sbp}, blood count and kidney values are in order.",
        "The slow build-up protects tendons and joints.",
        "HDL cholesterol of {hdl} and the resting pulse of {hr} can be expected to improve.",
        "Going on sitting is the greater risk.",
    ),
    key_hazard=(
        "No special danger was found; tendons and joints if he raises the load too fast, and "
        "chest pain or fainting on effort would have to be examined."
    ),
    next_step=(
        "Begin tomorrow with 20 minutes of brisk walking on four days, add 10 percent a week up "
        "to 150 minutes, two strength sessions of 20 minutes; stop and see a doctor for chest "
        "pain, fainting or palpitations."
    ),
    twin=Twin(
        age=58,
    ),
)
