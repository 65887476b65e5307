"""Tasks that ask for the same thing in other words: they share one gold rule."""

SAME_ANSWER: tuple[tuple[str, ...], ...] = (
    ("ad_3", "ad_43"),
    ("ad_9", "ad_47"),
    ("ad_59", "ad_62", "ad_63"),
    ("ad_61", "ad_64"),
)
"""Groups of task ids with one gold rule; a headline score counts each group once."""
