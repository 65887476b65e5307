"""The reference model `rules`: it answers from the prompt's text alone.

It reads the record back, tells from the instruction what is asked, and computes what the record
determines exactly, finds faults by simple signs, and predicts by persistence and habit. So it proves
that process mining can be answered from the prompt, and is the floor that a model which looks at the
record should exceed. It sees neither the row's parameters nor its task.
"""

from eval_tasks.errors import EvaluationError
from eval_tasks.record import shows_record
from eval_tasks.rules.exact import exact_answer, rule_of
from eval_tasks.rules.faults import asks_for_faults, find_faults
from eval_tasks.rules.predictions import predict
from eval_tasks.rules.prompt import Prompt, read_prompt
from eval_tasks.scoring import answer_text


def answer(text: str) -> object:
    """Return the answer to a prompt of a QA config; None where the rules find none.

    Raises:
        EvaluationError: The text is no such prompt.
    """
    prompt = read_prompt(text)
    if (rule := rule_of(prompt.instruction)) is not None:
        return _exact(prompt, *rule)
    if asks_for_faults(prompt.instruction):
        return find_faults(prompt)
    return predict(prompt)


def completion(text: str) -> str:
    """Return what the reference model `rules` writes.

    To a text that shows no record, a longevity case, it says no: it knows nothing of advice.
    """
    if not shows_record(text):
        return "No\nThis is the answer of the reference model rules."
    return f"This is the answer of the reference model rules.\n{answer_text(answer(text))}"


def _exact(prompt: Prompt, task: str, asked: dict[str, object]) -> object:
    try:
        return exact_answer(task, asked, prompt.record)
    except (EvaluationError, IndexError, KeyError, ValueError):
        return None
