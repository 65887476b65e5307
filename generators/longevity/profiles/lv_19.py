"""A man with an operation ahead who asks about rapamycin."""

from generators.longevity.distractors import Distractor
from generators.longevity.items import Item, Twin
from generators.longevity.profile import Finding, Profile, Request, measured

ITEM = Item(
    id="lv_19",
    profile=Profile(
        sex="M",
        age=49,
        measurements=measured(
            {
                "height": 184,
                "weight": 83.0,
                "bmi": 24.5,
                "sbp": 126,
                "dbp": 76,
                "hr": 64,
                "glu": 86,
                "a1c": 5.0,
                "chol": 157,
                "ldl": 85,
                "hdl": 54,
                "tg": 90,
                "tsh": 1.8,
                "crea": 0.92,
                "egfr": 102,
                "uacr": 8,
                "alt": 23,
                "hb": 15.1,
                "plt": 238,
                "crp": 0.7,
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
                    "torn ligament of the left knee, to be rebuilt in five weeks under general "
                    "anaesthesia"
                ),
                flags=("surgery_or_wound",),
            ),
            Finding(
                text="otherwise healthy, no operation before",
            ),
            Finding(
                text="cut on the shin from the same accident, closed and dry",
            ),
            Finding(
                text="no infection in the past year",
            ),
        ),
        request=Request(
            intervention="RAP",
            regimen=(
                "rapamycin (sirolimus), 5 mg once a week starting next Monday, for at least half "
                "a year"
            ),
        ),
    ),
    background_short="I am {age} and have prepared a plan for a long life. Rapamycin is to be the next step.",
    background_verbose=(
        "I am {age}, have a firm that installs lifts, and like things that can be maintained. "
        "That is how I look at myself too: I keep a list with what I do for a long life and what "
        "it does for me, and each half-year I add one thing. The next line on the list is a "
        "tablet once a week that has lengthened the life of every mouse it was tried on. The "
        "prescription is in the drawer, from a doctor abroad whom I have seen by video for ten "
        "minutes. He asked for blood values, which I enclose, and not for much else. The knee "
        "comes in between, but that is a mechanical matter and will be done by the end of next "
        "month."
    ),
    question="Should I start {regimen}, to live longer in good health?",
    distractor=Distractor(
        topics=(
            "blood group",
            "music",
            "star sign",
        ),
        text="My blood group is O, I collect records of chamber music, and I am a Libra.",
    ),
    commentary=(
        "All values are good, and that is not what decides. In five weeks the ligament is to be "
        'rebuilt. The rule that decides says "labelled warning" (sirolimus label): the drug '
        "delays the healing of wounds and promotes fluid collections and infection, which is just "
        "what an operation on a joint must not have; in practice it is stopped well before "
        "surgery and not restarted until the wound has healed. Starting five weeks before is a "
        "bad moment. Apart from that, use against ageing is off label, the largest trial missed "
        "its main endpoint, and the immune defence is weakened, so that the answer would not "
        "become yes after the operation either, outside of a trial."
    ),
    keywords=(
        "surgery",
        "wound healing",
        "infection",
        "sirolimus",
        "immunosuppression",
        "off label",
        "surgeon and anaesthetist",
        "trial missed its endpoint",
    ),
    critical_facts=(
        "The knee operation in five weeks decides: rapamycin delays wound healing and favours "
        "infection.",
        "The label warns of this, and the drug is kept away from the time around operations.",
        "A benefit against ageing has not been shown in people.",
    ),
    supporting_facts=(
        "His blood values are good and do not make the drug safe around an operation.",
        "An infected joint after a ligament operation can cost the result.",
        "Surgeon and anaesthetist must know of any such prescription.",
        "A video call of ten minutes without asking for planned operations is no sufficient "
        "examination.",
        "Training the thigh before and after the operation helps the outcome.",
    ),
    key_hazard="A wound that does not heal or a joint that becomes infected after the operation.",
    next_step=(
        "Do not take the first dose; tell surgeon and anaesthetist of the prescription, train the "
        "thigh until the operation, let the wound heal, and discuss rapamycin, if at all, within "
        "a trial later on."
    ),
    twin=Twin(
        age=61,
    ),
)
