"""What is made of the replies of lighteval's own backends, which tell tokens instead of reasons."""

import pytest
from lighteval.models.model_output import ModelResponse

from eval_tasks.answers import GENERATION_SIZE, NO_ROOM
from eval_tasks.lighteval_adapter import reply_of
from eval_tasks.question import Question
from tests.eval_tasks.tiny_release import rows

QUESTION = next(Question.from_row(row) for row in rows()["simulated"])
WORDS = "a prompt of six words altogether"


@pytest.mark.parametrize(
    ("read", "written", "text", "status", "finish_reason"),
    [
        (20, 9, '{"answer": 7}', None, None),
        (20, GENERATION_SIZE, "so far", None, "length"),
        (5, 9, '{"answer": 7}', "too_long", None),
        (20, 1, "{", None, NO_ROOM),
        (20, 1, "", None, None),
        (20, 1, "7", None, None),
        (0, 0, '{"answer": 7}', None, None),
    ],
)
def test_tokens_tell_what_became_of_a_prompt(
    read: int, written: int, text: str, status: str | None, finish_reason: str | None
) -> None:
    response = ModelResponse(
        text=[text], input_tokens=[0] * read, output_tokens=[[0] * written] if written else []
    )
    reply = reply_of(QUESTION, WORDS, response)
    assert (reply.status, reply.finish_reason) == (status, finish_reason)
