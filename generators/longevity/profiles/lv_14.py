"""An older man with little muscle who trains and asks about a cocoa extract."""

from generators.longevity.distractors import Distractor
from generators.longevity.items import Item, Twin
from generators.longevity.profile import Finding, Profile, Request, measured

ITEM = Item(
    id="lv_14",
    profile=Profile(
        sex="M",
        age=74,
        measurements=measured(
            {
                "height": 172,
                "weight": 71.0,
                "bmi": 24.0,
                "sbp": 136,
                "dbp": 78,
                "hr": 68,
                "glu": 86,
                "a1c": 5.1,
                "chol": 208,
                "ldl": 128,
                "hdl": 54,
                "tg": 128,
                "tsh": 2.4,
                "crea": 0.74,
                "egfr": 95,
                "alt": 22,
                "hb": 14.8,
                "ferritin": 142,
                "alb": 4.0,
                "grip": 21,
                "chair5": 17.4,
                "gait": 0.90,
                "almi": 6.1,
            },
            meant={
                "bmi": "an ordinary weight that hides little muscle; the rule reads no BMI",
                "sbp": "a common pressure for the age; the rules read 180",
                "dbp": "a common pressure; the rules read 110",
            },
        ),
        history=(
            Finding(
                text=(
                    "strength training with a trainer twice a week since last month, very light "
                    "weights so far"
                ),
            ),
            Finding(
                text="stairs are slow, jars have to be opened by the neighbour",
            ),
            Finding(
                text="no falls, no dizziness, no bleeding",
            ),
            Finding(
                text="iron and blood count normal, no operation planned",
            ),
            Finding(
                text="a cardiologist found the heart in order last year",
                flags=("cardiac_evaluation_done",),
            ),
        ),
        request=Request(
            intervention="EPI",
            regimen=(
                "epicatechin as a tested cocoa extract with 75 mg a day, for eight weeks, in "
                "addition to the strength training"
            ),
            flags=("resistance_training",),
        ),
    ),
    background_short=(
        "I am {age} and train against weakness. I ask whether a cocoa extract can help the "
        "training along."
    ),
    background_verbose=(
        "I am {age} and used to repair church clocks, which needed steady hands and strong "
        "fingers. The hands are steady still, the fingers no longer strong. My trainer, a patient "
        "man, says that it will come, but slowly. His cousin gave me an article about a substance "
        "from cocoa that is supposed to give muscles a push in men like me, in a small study over "
        "two months. I do not expect wonders, and I would not give up the training for it. The "
        "extract is tested for heavy metals, and the price is that of a newspaper. I had my blood "
        "tested and my strength measured so that I could see at the end whether anything has "
        "changed."
    ),
    question=(
        "Is it acceptable and sensible for me to add {regimen}, in order to stay strong and "
        "independent?"
    ),
    distractor=Distractor(
        topics=(
            "music",
            "birthplace",
            "horoscope",
        ),
        text=(
            "I play the zither, was born in a mountain village, and my horoscope announces "
            "visitors."
        ),
    ),
    commentary=(
        "Grip of {grip}, chair rises in {chair5} and a lean mass index of {almi} are below the "
        "EWGSOP2 limits for men: sarcopenia, for which he rightly trains. The rule that decides "
        'says "adjunct to training raised strength and follistatin in 62 sarcopenic men" (Mafi '
        "2019). That is one small trial of eight weeks in men like him, so the yes is "
        "conditional: in addition to the training and never instead of it, for a limited time, "
        "with strength measured before and after. The cautions do not apply: ferritin of "
        "{ferritin} and haemoglobin of {hb} are normal, there is no anticoagulant or "
        "antiplatelet, pressure is not low, liver enzymes are in range and he trains for strength "
        "and not for endurance. A benefit for a longer life has not been shown; the large cocoa "
        "trial missed its main endpoint."
    ),
    keywords=(
        "sarcopenia",
        "resistance training",
        "small trial",
        "follistatin",
        "ferritin",
        "anticoagulant",
        "adjunct",
        "evidence is weak",
    ),
    critical_facts=(
        "As an addition to his strength training a limited trial of the extract is acceptable "
        "for a man with this little muscle.",
        "The evidence is one small trial of eight weeks in men with the same condition, so no "
        "large effect may be expected.",
        "The training is what treats the weakness; the extract must not replace it.",
        "Iron, blood count and medication show none of the reasons against it.",
    ),
    supporting_facts=(
        "Grip of {grip}, chair rises in {chair5} and a lean mass index of {almi} show too "
        "little muscle and strength.",
        "Ferritin of {ferritin} and haemoglobin of {hb} are normal; cocoa polyphenols hinder "
        "the uptake of iron, so keep it apart from meals rich in iron.",
        "He takes no anticoagulant, with which an effect on bleeding could add up.",
        "Cocoa can contain cadmium and lead, so a tested product matters.",
        "Protein of 1.2 g/kg a day does more for the training than the extract.",
    ),
    key_hazard=(
        "Little danger at this dose: less uptake of iron, and false hope that could displace "
        "training and protein."
    ),
    next_step=(
        "Go on with the training and make it heavier step by step, eat protein with each meal, "
        "take the extract apart from main meals for eight weeks, measure grip and chair rises at "
        "the end, and stop it for stomach trouble, bleeding or a new anticoagulant."
    ),
    twin=Twin(
        age=66,
    ),
)
