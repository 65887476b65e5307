"""A young rower who wants a supplement before a regatta."""

from generators.longevity.distractors import Distractor
from generators.longevity.items import Item, Twin
from generators.longevity.profile import Finding, Profile, Request, measured

ITEM = Item(
    id="lv_15",
    profile=Profile(
        sex="M",
        age=24,
        measurements=measured(
            {
                "height": 188,
                "weight": 79.0,
                "bmi": 22.4,
                "sbp": 116,
                "dbp": 62,
                "hr": 56,
                "glu": 84,
                "a1c": 5.0,
                "chol": 155,
                "ldl": 82,
                "hdl": 58,
                "tg": 74,
                "tsh": 1.9,
                "crea": 1.02,
                "egfr": 105,
                "ck": 170,
                "hb": 15.2,
                "ferritin": 88,
                "crp": 0.6,
            },
            meant={
                "bmi": "an ordinary weight; the rule reads no BMI",
                "sbp": "an ordinary pressure; no rule reads it here",
            },
        ),
        history=(
            Finding(
                text=(
                    "rowing in a club eight, five endurance sessions a week, a higher maximal "
                    "oxygen uptake wanted by autumn"
                ),
                flags=("goal_endurance_adaptation",),
            ),
            Finding(
                text="no illness, no infection in the past months",
            ),
            Finding(
                text="enough to eat, weight steady",
            ),
        ),
        request=Request(
            intervention="EPI",
            regimen=(
                "epicatechin, 200 mg a day as capsules, for the four weeks of the next endurance "
                "block"
            ),
        ),
    ),
    background_short=(
        "I am {age} and train for endurance. I am thinking of a supplement that is said to be "
        "good for muscles and ageing."
    ),
    background_verbose=(
        "I am {age}, a surveyor, and sit in the third seat of our club's eight. In autumn "
        "there are two regattas that we have prepared for since winter, and the next month is the "
        "block in which we build the base. A team mate swears by capsules with a plant substance "
        "from cocoa and green tea, which are said to make new power plants in the cells and to "
        "keep them young for decades. If it helped twice, now and in old age, it would be worth "
        "the money to me. The club doctor had our blood tested at the start of the season and "
        "wrote underneath that there is nothing to complain about."
    ),
    question="Should I take {regimen}, for fitness now and health later?",
    distractor=Distractor(
        topics=(
            "glasses",
            "tattoo",
            "cat",
        ),
        text="I wear glasses, have a tattoo of an anchor, and our landlady has two cats.",
    ),
    commentary=(
        "He is healthy; ferritin of {ferritin}, haemoglobin of {hb} and all other values are in "
        "order, so the question is only whether the substance does what he wants. The rule that "
        'decides says "blunts aerobic adaptation" (Schwarz NA 2018; Garcia-Merino 2022). In young '
        "people who trained on the bicycle for four weeks, 200 mg a day removed the gain in "
        "maximal oxygen uptake that the placebo group had, and flavanol-rich cocoa blocked the "
        "mitochondrial gain in athletes. That is just the aim of his block. A benefit for ageing "
        "has not been shown either: the large cocoa trial missed its main endpoint. Training, "
        "food and sleep do the work; cocoa or tea as food in ordinary amounts needs no ban."
    ),
    keywords=(
        "endurance",
        "maximal oxygen uptake",
        "adaptation",
        "mitochondria",
        "blunted",
        "placebo-controlled trial",
        "no proven benefit",
        "training and sleep",
    ),
    critical_facts=(
        "At this dose epicatechin took away the gain in oxygen uptake from four weeks of "
        "endurance training.",
        "Since he trains for just this gain, taking it in the training block is not advisable.",
        "A benefit for ageing or a longer life has not been shown in people.",
    ),
    supporting_facts=(
        "Flavanol-rich cocoa blocked the mitochondrial gain in a trial with athletes.",
        "The trials are small, but they point the same way and speak against his aim.",
        "His values are in order; ferritin of {ferritin} leaves no deficiency to correct.",
        "Training load, enough food and sleep are what raise the oxygen uptake.",
        "Cocoa and tea in ordinary amounts need not be avoided.",
    ),
    key_hazard="A weaker response to weeks of endurance training, in return for no proven benefit.",
    next_step=(
        "Leave the capsules out during the block; follow the training plan with enough "
        "carbohydrate, protein and sleep, test the oxygen uptake before and after, and check any "
        "supplement with the club doctor first, also with regard to banned substances."
    ),
    twin=Twin(
        age=33,
    ),
)
