"""Cases of anomaly-detection tasks."""

from tests.generators.questions.gold_cases import (
    anomaly_episodes,
    anomaly_faults,
    anomaly_gaps,
)

CASES = (*anomaly_gaps.CASES, *anomaly_episodes.CASES, *anomaly_faults.CASES)
