"""What a reader can see of each fault, worded once. Parts of templates: literal braces are doubled.

The sizes are those that the injected faults have at least (see `generators.fault_injected`). Of a
spike both neighbours are told too: every injected spike stands 45 mg/dL or more off both, and in
the release's traces no other lone reading stands 40 off.
"""

GAP = (
    "A reading is missing where the record holds no value for a 5-minute sample; a reading of 0 is "
    "not missing."
)

DOWNWARD_SPIKE = (
    "A downward spike is one single reading that a fault throws at least 60 mg/dL below what the "
    "sensor should have shown there: it stands at least 40 mg/dL below the reading before it and "
    "below the one after it, which go on as if nothing had happened."
)
UPWARD_SPIKE = (
    "An upward spike is one single reading that a fault throws at least 60 mg/dL above what the "
    "sensor should have shown there: it stands at least 40 mg/dL above the reading before it and "
    "above the one after it, which go on as if nothing had happened."
)
BOTH_SPIKES = (
    "A spike is one single reading that a fault throws at least 60 mg/dL above or below what the "
    "sensor should have shown there: it stands at least 40 mg/dL above, or below, both the reading "
    "before it and the one after it, which go on as if nothing had happened; neither carbohydrate "
    "nor insulin explains so short a move."
)

FROZEN = (
    "A frozen sensor repeats its last value again and again, for at least 60 min: the first sample "
    "of the stretch is the first repetition (the sample after the one whose value is repeated), "
    "the last is the last repetition. A run at 40 or 400 mg/dL, the ends of what the sensor can "
    "show, is no frozen sensor."
)
ZEROS = "A dropout shows readings of exactly 0, which glucose in the body never has."

RAISED = (
    "Shifted upwards are readings that jump up by about 30 mg/dL or more from one sample to the "
    "next, keep following the ups and downs of glucose at that distance for a while, and jump back "
    "down just as suddenly; the stretch is from the first to the last shifted reading."
)
LOWERED = (
    "Shifted downwards are readings that jump down by about 30 mg/dL or more from one sample to "
    "the next, keep following the ups and downs of glucose at that distance for a while, and jump "
    "back up just as suddenly; the stretch is from the first to the last shifted reading."
)
SHIFTED = (
    "Shifted are readings that jump up, or down, by about 30 mg/dL or more from one sample to the "
    "next, keep following the ups and downs of glucose at that distance for a while, and jump back "
    "just as suddenly; the stretch is from the first to the last shifted reading."
)

AT_BOTTOM = (
    "A sensor stuck at the bottom shows the lowest value that it can show (40 mg/dL) sample after "
    "sample, after jumping there from one sample to the next instead of sinking, and jumps back "
    "in the same way."
)
AT_TOP = (
    "A sensor stuck at the top shows the highest value that it can show (400 mg/dL) sample after "
    "sample, after jumping there from one sample to the next instead of climbing, and jumps back "
    "in the same way; glucose that is really that high gets there and leaves step by step."
)
REPLAY = (
    "A replay is a stretch of at least 2 h (24 samples), at least 12 of them above 40 and below 400 "
    "mg/dL, that copies, value for value, an earlier stretch of the record; report the later "
    "stretch, the copy, and not the original."
)

PHANTOM_MEAL = (
    "A meal that was never eaten is a carbohydrate entry of at least 30 g, no rescue, that has no "
    "effect on glucose: readings stay within 20 mg/dL of the one at its time, or below, in the 2 h "
    "after it, up to the first rescue carbohydrate, although the reading at its time lies from 65 "
    "to 119 mg/dL. A meal bolus was given for it in the same 5-minute sample, and no other entry "
    "but rescues lies in the 2 h before and the 2 h after it. Its interval is the one 5-minute "
    "sample in which the entry lies."
)
REPEATED_DOSE = (
    "A repeated dose is a bolus as large as one that was given earlier, given once more although "
    "nothing calls for it: no carbohydrate entry lies within 30 min of it and the reading is below "
    "120 mg/dL. Its interval is the one 5-minute sample in which it is given."
)
_BACKGROUND = (
    "Background insulin is the insulin series without the boluses: take off 200 mU/min for each "
    "unit of bolus that is listed in a sample."
)
MORE_BASAL = (
    "Too much background insulin shows as background insulin that rises in one step to more than "
    "half of its highest rate in the record and stays above that half for at least 60 min, until "
    "it falls back in one step, although the reading is below 120 mg/dL when it begins and no "
    "carbohydrate entry but rescues lies in the 30 min before it or during it. " + _BACKGROUND
)
_DOWN_TO_0 = (
    "drops to 0 in one step, from a tenth of its highest rate in the record or more, and stays "
    "there for at least 60 min although readings are above 140 mg/dL all that hour, the reading when "
    "it begins is not below the one 15 min earlier, and no bolus was given in the 3 h before; it "
    "lasts until the rate is above 0 again."
)
LESS_BASAL = (
    "Too little background insulin shows as background insulin that drops in one step to three "
    "tenths of the rate before or less, and to 3/16 (18.75 %) of its highest rate in the record or "
    "less, and stays that low for at least 60 min, above 0 in these, although readings are above "
    "140 mg/dL all that hour; it lasts until the rate is above 3/16 again. Or it shows as "
    f"background insulin that {_DOWN_TO_0} {_BACKGROUND}"
)
LEAST_BASAL = (
    f"Background insulin shut down shows as background insulin that {_DOWN_TO_0} {_BACKGROUND}"
)
_MISSED_MEAL = (
    "The loss begins up to 30 min before the bolus of a meal (breakfast, lunch or dinner) of at "
    "least 40 g and lasts 3 to 4 h; the bolus is the first meal bolus from 40 min before to 20 min "
    "after the start of the meal. Take the mean of the readings from 1 h to less than 4 h after "
    "the sample in which such a meal starts, minus the reading of that sample, for each gram of "
    "it, where at least 70 % of them exist"
)
_UNDISTURBED = (
    "the record's other such meals with a bolus and without any fault, of sensor or pump, in the "
    "hour before and the 4 h after their start"
)
NOT_DELIVERED = (
    "Insulin that is not delivered shows by its effect alone: the pump reports insulin as usual "
    f"but delivers none. {_MISSED_MEAL}: after the meal that is hit this is higher than after at "
    f"least 97 in 100 of {_UNDISTURBED}, although a bolus is reported. Report the time without "
    "delivery, not the time of high glucose."
)
PARTLY_DELIVERED = (
    "Insulin that is delivered in part shows by its effect alone: the pump reports insulin as "
    f"usual but only 15 to 30 % of it arrives. {_MISSED_MEAL}: after the meal that is hit this is "
    f"higher than after at least 9 in 10 of {_UNDISTURBED}, although a bolus is reported. Report "
    "the time with too little delivery, not the time of high glucose."
)

ALL_VALUE_FAULTS = " ".join(
    (BOTH_SPIKES, SHIFTED, FROZEN, ZEROS, AT_BOTTOM, AT_TOP, REPLAY),
)
"""Everything that can be wrong with values that the sensor sends."""
UNRESPONSIVE = " ".join((FROZEN, ZEROS, BOTH_SPIKES))
"""A sensor that has lost its sensitivity."""

LAST_7_DAYS = "The last 7 days are days 24 to 30."
NIGHT = "The night is from 00:00 (included) to 06:00 (not included)."


def whole_if_inside(window: str) -> str:
    """Return the sentence that says which stretches count for a window, and that they stay whole."""
    return (
        f"Report every stretch of which at least one sample lies {window}, and report it whole, "
        "with its samples outside."
    )
