"""A man in his forties with some weight to lose and nothing that speaks against it."""

from generators.longevity.distractors import Distractor
from generators.longevity.items import Item, Twin
from generators.longevity.profile import Finding, Profile, Request, measured

ITEM = Item(
    id="lv_03",
    profile=Profile(
        sex="M",
        age=46,
        measurements=measured(
            {
                "height": 180,
                "weight": 92.0,
                "bmi": 28.4,
                "sbp": 124,
                "dbp": 78,
                "hr": 68,
                "glu": 88,
                "a1c": 5.1,
                "insulin": 8.0,
                "homa": 1.7,
                "chol": 216,
                "ldl": 135,
                "hdl": 47,
                "tg": 168,
                "tsh": 1.8,
                "crea": 0.92,
                "egfr": 104,
                "urate": 5.2,
                "alt": 26,
                "ck": 120,
                "hb": 15.2,
                "crp": 1.9,
            },
            meant={
                "bmi": "overweight on purpose; the verdict is the same 10 % above and below",
                "sbp": "a common pressure; the rules read 180",
                "dbp": "a common pressure; the rules read 110",
            },
        ),
        history=(
            Finding(text="no known illness, no operation that left anything behind"),
            Finding(text="four floors of stairs without chest pain or breathlessness"),
            Finding(text="never smoked, a glass of beer at the weekend"),
            Finding(text="desk work, little movement for three years"),
            Finding(text="5 kg gained in these three years with larger meals and less sport"),
            Finding(text="no trouble with joints, back or eating, now or earlier"),
        ),
        request=Request(
            intervention="CE",
            regimen=(
                "caloric restriction together with exercise: about 300 kcal a day less than I "
                "need with plenty of protein, and, built up over six weeks, 150 minutes of brisk "
                "walking and two sessions of strength training a week, for one year"
            ),
        ),
    ),
    background_short=(
        "I am {age}, work at a desk and feel well. I want to do something for my health in the "
        "decades to come."
    ),
    background_verbose=(
        "I am {age}, have two school-age children and a job that has kept me at a desk for three "
        "years. I feel well. At a class reunion I noticed how differently people of my age have "
        "aged, and since then I have wanted to do something for the decades to come instead of "
        "waiting until something is wrong. I like plans: I have drawn up what I would eat and how "
        "I would move, small steps and nothing heroic, and my wife would join in. Some "
        "acquaintances say that one should do either the one or the other, others that one should "
        "leave well alone as long as one is healthy. My company's medical service took blood last "
        "month, so there are recent values to judge it by."
    ),
    question="Should I go ahead with {regimen}, in order to stay healthy for longer?",
    distractor=Distractor(
        topics=("glasses", "tattoo", "podcast", "star sign"),
        text=(
            "I have worn glasses for short-sightedness since school and have an old tattoo on my "
            "shoulder. A podcast claims that people of my star sign grow oldest."
        ),
    ),
    commentary=(
        "At {age} with a BMI of {bmi}, no illness, no symptom on exertion and ordinary values for "
        "glucose, kidney, liver, thyroid and blood count, nothing has to be diagnosed or treated "
        'first. The rule that decides says "half diet half exercise: same fat loss, more fitness, '
        'insulin sensitivity and LDL effect" (Larson-Meyer 2010). In that six-month randomised '
        "trial a half-and-half programme took off as much fat as diet alone and did more for "
        "fitness, insulin sensitivity and LDL cholesterol. Here LDL cholesterol of {ldl}, "
        "triglycerides of {tg} and three years of little movement leave room for both. The "
        "deficit is moderate, the training within what is generally recommended and built up step "
        "by step. What to watch is lean mass: protein, strength training, 0.25-1 kg a week at "
        "most, and a weight at which to stop."
    ),
    keywords=(
        "overweight",
        "moderate calorie deficit",
        "aerobic and resistance training",
        "lean mass",
        "protein",
        "LDL cholesterol",
        "insulin sensitivity",
        "gradual build-up",
    ),
    critical_facts=(
        "A BMI of {bmi} at {age} gives a weight to lose and a benefit to expect from it.",
        "History and values show nothing that speaks against the plan or has to be treated first.",
        "Diet and exercise together bring more than diet alone: more fitness, better insulin "
        "sensitivity and lower LDL cholesterol for the same loss of fat.",
    ),
    supporting_facts=(
        "LDL cholesterol ({ldl}) and triglycerides ({tg}) are above the reference and can be "
        "expected to fall.",
        "Protein and strength training protect muscle while weight is lost.",
        "The deficit of about 300 kcal a day is moderate and can be kept up for a year.",
        "After years of little movement the training has to be built up gradually.",
        "No trial shows a longer human life from this; the gain is in risk factors and fitness.",
    ),
    key_hazard=(
        "There is no special danger in these data; the one to watch is loss of muscle, or injury "
        "by overload, if food is cut further or training is stepped up faster than planned."
    ),
    next_step=(
        "Start as planned; weigh once a week, aim at 0.25-1 kg a week and fix a weight at which "
        "the deficit ends; check lipids, glucose and blood pressure after three to six months; "
        "stop and see a physician for chest pain, fainting or dark urine."
    ),
    twin=Twin(age=36),
)
