"""A man with overweight who wants to eat in a window."""

from generators.longevity.distractors import Distractor
from generators.longevity.items import Item, Twin
from generators.longevity.profile import Finding, Profile, Request, measured

ITEM = Item(
    id="lv_23",
    profile=Profile(
        sex="M",
        age=52,
        measurements=measured(
            {
                "height": 177,
                "weight": 89.5,
                "bmi": 28.6,
                "sbp": 136,
                "dbp": 86,
                "hr": 70,
                "glu": 88,
                "a1c": 5.1,
                "insulin": 10.0,
                "homa": 2.2,
                "chol": 226,
                "ldl": 142,
                "hdl": 46,
                "tg": 188,
                "tsh": 1.9,
                "crea": 0.94,
                "egfr": 98,
                "urate": 5.8,
                "alt": 27,
                "hb": 15.0,
                "crp": 2.2,
            },
            meant={
                "bmi": "overweight on purpose; the verdict is the same 10 % above and below",
                "sbp": "a raised pressure that loss would improve; the rules read 180",
                "dbp": "a raised pressure that loss would improve; the rules read 110",
            },
        ),
        history=(
            Finding(
                text="8 kg more than ten years ago, large suppers",
            ),
            Finding(
                text="6 km to work by bicycle without chest pain or breathlessness",
            ),
            Finding(
                text="no diabetes, no gout, no stomach trouble, good sleep",
            ),
            Finding(
                text="no trouble with eating, now or earlier, regular working days",
            ),
        ),
        request=Request(
            intervention="IF",
            regimen=(
                "intermittent fasting, sixteen hours without food and an eating window from ten "
                "to six on at least five days a week, for a year"
            ),
        ),
    ),
    background_short=(
        "I am {age} and a bit round. I would like to try an eating window and stay healthy with it."
    ),
    background_verbose=(
        "I am {age} and tune pianos, which takes me to a different living room every day, always "
        "with coffee and cake. In the evening I cook for my wife and myself, and the portions "
        "have grown with the years. Three of my customers have told me independently of each "
        "other that they no longer eat after six and have never felt better, one of them a "
        "conductor of eighty. That would be simple enough for me. I do not like counting. What I "
        "do not want is to find out afterwards that it harms the muscles or the stomach of "
        "somebody built like me. The values are from the check-up that one is offered every three "
        "years."
    ),
    question="Would you advise me to take up {regimen}, to live longer in good health?",
    distractor=Distractor(
        topics=(
            "cat",
            "glasses",
            "friend's success",
        ),
        text=(
            "We have a cat called Minka, I wear glasses, and a friend says that it has "
            "changed everything for him."
        ),
    ),
    commentary=(
        "A BMI of {bmi}, pressure of {sbp}, triglycerides of {tg} and LDL cholesterol of {ldl} "
        "would profit from a lower weight, and nothing speaks against the window: no drug that "
        "could make sugar fall, no gout (uric acid {urate}), no eating disorder, no shift work, "
        'normal kidney and TSH. The rule that decides says "equal to, not better than, daily '
        'restriction; an option" (Liu 2022; Lin 2023; Semnani-Azad 2025). In trials the window '
        "led to the same loss as daily restriction with the same calories, so it is a matter of "
        "what he can keep up. One trial found a loss of lean mass in the limbs, so protein and "
        "strength training belong to it. What feels better in others is no evidence; a longer "
        "life has not been shown."
    ),
    keywords=(
        "eating window",
        "BMI",
        "daily restriction",
        "triglycerides",
        "blood pressure",
        "protein",
        "strength training",
        "no proof of longer life",
    ),
    critical_facts=(
        "With a BMI of {bmi} and no contraindication an eating window is an advisable option "
        "for losing weight.",
        "It is about as good as daily restriction, so the choice is the one he can keep up.",
        "Protein and strength training belong to it, because lean mass can be lost.",
    ),
    supporting_facts=(
        "Pressure of {sbp}, triglycerides of {tg} and LDL cholesterol of {ldl} can improve "
        "with the weight.",
        "Uric acid of {urate} and no gout: the daily window is no problem in this respect.",
        "He takes no drug that could cause low blood sugar.",
        "Customers who feel better are no evidence.",
        "A longer life through fasting has not been shown.",
    ),
    key_hazard=(
        "No special danger was found; loss of muscle without protein and training, dizziness on "
        "the first days."
    ),
    next_step=(
        "Start with a window of ten hours and go to eight within three weeks, protein at each "
        "meal, two strength sessions a week; weigh weekly, check pressure and lipids after three "
        "months, and change to smaller portions over the day if it does not suit."
    ),
    twin=Twin(
        age=35,
    ),
)
