"""Records made by hand with known answers, by theme."""

from tests.generators.questions.gold_cases import (
    anomalies,
    days,
    exercise,
    glucose,
    glucose_episodes,
    insulin,
    meals,
    predictions,
    weeks,
)

CASES = (
    *glucose.CASES,
    *glucose_episodes.CASES,
    *days.CASES,
    *weeks.CASES,
    *meals.CASES,
    *exercise.CASES,
    *insulin.CASES,
    *anomalies.CASES,
    *predictions.CASES,
)
