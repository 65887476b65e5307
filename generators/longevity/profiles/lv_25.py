"""A woman with some overweight and heartburn who wants to eat less."""

from generators.longevity.distractors import Distractor
from generators.longevity.items import Item, Twin
from generators.longevity.profile import Finding, Profile, Request, measured

ITEM = Item(
    id="lv_25",
    profile=Profile(
        sex="F",
        age=47,
        measurements=measured(
            {
                "height": 166,
                "weight": 73.0,
                "bmi": 26.5,
                "sbp": 134,
                "dbp": 84,
                "hr": 70,
                "glu": 87,
                "a1c": 5.1,
                "chol": 228,
                "ldl": 147,
                "hdl": 56,
                "tg": 126,
                "tsh": 2.3,
                "crea": 0.74,
                "egfr": 100,
                "alt": 20,
                "hb": 13.6,
                "ferritin": 82,
                "crp": 1.7,
            },
            meant={
                "bmi": (
                    "slightly overweight on purpose; the verdict is the same 10 % above and below "
                    "at this age"
                ),
                "sbp": "a little high, as a deficit would improve it; the rules read 180",
                "dbp": "a little high; the rules read 110",
            },
        ),
        history=(
            Finding(
                text=(
                    "heartburn after late or fatty suppers, twice a week for years, worse when "
                    "lying down"
                ),
                flags=("gerd_symptoms",),
            ),
            Finding(
                text=(
                    "no trouble with swallowing, no vomiting, no black stools, no unintended "
                    "weight loss; stomach and gullet looked at last year, nothing found"
                ),
            ),
            Finding(
                text="4 kg more than at 35",
            ),
            Finding(
                text="daily walks without chest pain",
            ),
            Finding(
                text="no broken bones as an adult, no trouble with eating",
            ),
        ),
        request=Request(
            intervention="CR",
            regimen=(
                "caloric restriction, 350 kcal a day less than I need with 90 g of protein, for "
                "one year, while I keep my strength class"
            ),
        ),
    ),
    background_short=(
        "I am {age}, have a few kilos too many and heartburn. I would like to eat less for a year."
    ),
    background_verbose=(
        "I am {age} and run a small repair shop for bicycles with a colleague. We close at eight, "
        "and then I am so hungry that I eat for two and lie down with it. The heartburn that "
        "follows I have had for years; it was looked into last year, and they found nothing that "
        "one would have to treat. I have read that eating moderately is the one thing on which "
        "all who study ageing agree. So I would like to make it smaller for a year and see what "
        "happens. My colleague says that with a sensitive stomach one should eat more often and "
        "not less. I go to a strength class on Tuesdays and Fridays and would stay with it."
    ),
    question="Is it advisable for me to go on {regimen}, with a longer healthy life in mind?",
    distractor=Distractor(
        topics=(
            "left-handedness",
            "music",
            "star sign",
        ),
        text="I am left-handed, hum all day according to my colleague, and am a Taurus.",
    ),
    commentary=(
        "With a BMI of {bmi}, pressure of {sbp} and LDL cholesterol of {ldl} there is something "
        "to gain, and nothing must be treated first: blood count, ferritin of {ferritin}, TSH and "
        "kidney are in order, and the heartburn is without alarm signs and has been examined. The "
        'rule that decides says "moderate deficit improves weight, BP, LDL; keep protein and '
        'training" (Kraus 2019; Semnani-Azad 2025). Reflux is no argument against it: guidelines '
        "recommend losing weight when overweight and no meal within two to three hours before "
        "bed, so the plan helps, as long as the supper moves forward. Protein and the strength "
        "class keep muscle and bone. That eating less lengthens human life has not been shown."
    ),
    keywords=(
        "BMI",
        "moderate deficit",
        "LDL cholesterol",
        "blood pressure",
        "heartburn",
        "no late meals",
        "protein",
        "strength training",
    ),
    critical_facts=(
        "With a BMI of {bmi} and no disease that must be treated first a moderate deficit is "
        "advisable.",
        "Weight, pressure ({sbp}) and LDL cholesterol ({ldl}) can be expected to improve.",
        "Heartburn without alarm signs is no reason against it; losing weight and earlier "
        "suppers make it better.",
    ),
    supporting_facts=(
        "Swallowing trouble, black stools or unintended loss would be alarm signs; she has none.",
        "No meal within two to three hours before lying down.",
        "Protein and the strength class keep muscle and bone.",
        "Blood count, ferritin of {ferritin} and TSH are in order.",
        "A longer life through restriction has not been shown in people.",
    ),
    key_hazard=(
        "No special danger was found; bone and muscle if the deficit grows, and new swallowing "
        "trouble or bleeding would have to be examined at once."
    ),
    next_step=(
        "Begin with 350 kcal less and 90 g of protein a day, the last meal three hours before "
        "bed, the strength class kept; weigh weekly, stop losing at a BMI of 23, repeat pressure "
        "and lipids after three months."
    ),
    twin=Twin(
        age=72,
        commentary=(
            "At {age} with a BMI of {bmi} the balance is another one. The rule that decides says "
            '"weight-reducing diets avoided in older people who are not obese" (ESPEN 2019): '
            "weight reduction is considered at this age only in obesity with trouble from the "
            "weight, and then together with exercise. The pressure of {sbp} and LDL cholesterol "
            "of {ldl} can be treated without losing weight, and muscle and bone lost now are hard "
            "to regain. For the heartburn it is enough to move the supper forward and make it "
            "smaller, with the food made up for earlier in the day. The strength class is the "
            "part to keep. For a younger adult with the same values a moderate deficit would be "
            "advisable."
        ),
        critical_facts=(
            "At {age} and a BMI of {bmi}, not obese, a weight-reducing diet is not advisable.",
            "The diet would cost muscle and bone that are hard to regain at this age.",
            "Pressure ({sbp}) and LDL cholesterol ({ldl}) can be treated without losing weight.",
        ),
        supporting_facts=(
            "Heartburn improves when the supper is earlier and smaller, with the food made up "
            "for earlier in the day.",
            "The strength class with enough protein is the part to keep.",
            "Nothing in the values points to a disease that must be treated first.",
            "For a younger adult with the same values a moderate deficit would be advisable.",
        ),
        key_hazard="Loss of muscle and bone with later falls and fractures.",
        next_step=(
            "Keep the weight; move the main meal to midday and the last one three hours before "
            "bed, eat 1.0 to 1.2 g of protein per kg, keep the strength class and add balance "
            "training, and have pressure and lipids discussed within the next months."
        ),
    ),
)
