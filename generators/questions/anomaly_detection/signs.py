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
    "A replay is a stretch of at least 2 h (24 samples) that copies, value for value, an earlier "
    "stretch of the record; report the later stretch, the copy, and not the original. Stretches "
    "at 40 or 400 mg/dL throughout are none."
)

PHANTOM_MEAL = (
    "A meal that was never eaten is a carbohydrate entry that has no effect on glucose: readings "
    "stay within 20 mg/dL of the one at its time, or below, in the 2 h after it, up to the first "
    "rescue carbohydrate, and the insulin that was given for it makes them fall. Its "
    "interval is the one 5-minute sample in which the entry lies."
)
REPEATED_DOSE = (
    "A repeated dose is a bolus as large as one that was given earlier, given once more although "
    "nothing calls for it: no carbohydrate entry lies within 30 min of it and the reading is below "
    "120 mg/dL. Its interval is the one 5-minute sample in which it is given."
)
MORE_BASAL = (
    "Too much background insulin shows as insulin that rises in one step, to a rate that the pump "
    "does not otherwise keep up below 120 mg/dL, and stays raised, or at the pump's upper limit, for "
    "at least 60 min although readings are below 120 mg/dL when it begins and no carbohydrate entry "
    "calls for it."
)
LESS_BASAL = (
    "Too little background insulin shows as insulin that drops in one step and stays lowered for "
    "at least 60 min although readings are above 140 mg/dL all that hour; where it drops to the "
    "pump's lower limit, readings are not falling and no bolus was given in the 3 h before, either "
    "of which would explain it."
)
LEAST_BASAL = (
    "Background insulin shut down shows as insulin that drops in one step to the pump's lower "
    "limit and stays there for at least 60 min although readings are above 140 mg/dL all that hour "
    "and not falling when it begins, and no bolus was given in the 3 h before."
)
MISSED_MEAL = (
    "The loss begins up to 30 min before the bolus of a meal (breakfast, lunch or dinner) of at "
    "least 40 g and lasts 3 to 4 h. Take mean glucose from 1 to 4 h after the start of such a meal, "
    "minus the reading at its start, for each gram of it"
)
NOT_DELIVERED = (
    "Insulin that is not delivered shows by its effect alone: the pump reports insulin as usual "
    f"but delivers none. {MISSED_MEAL}: after the meal that is hit this is higher than after at "
    "least 97 in 100 of the record's other such meals that no fault disturbs, although a bolus is "
    "reported. Report the time without delivery, not the time of high glucose."
)
PARTLY_DELIVERED = (
    "Insulin that is delivered in part shows by its effect alone: the pump reports insulin as "
    f"usual but only 15 to 30 % of it arrives. {MISSED_MEAL}: after the meal that is hit this is "
    "higher than after at least 9 in 10 of the record's other such meals that no fault disturbs, "
    "although a bolus is reported. Report the time with too little delivery, not the time of high "
    "glucose."
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
