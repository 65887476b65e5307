"""The reference models as a lighteval custom model: `lighteval custom gold <this file> ...`.

The model's name picks one of gold, constant, abstain, cover-all and every-6-hours, which read the
row and not the prompt, or rules, which reads the prompt and nothing else. None is ever served from
lighteval's cache.
"""

import json
import sys
from pathlib import Path

from lighteval.models.custom.custom_model import CustomModelConfig
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from eval_tasks import custom_model, rules
from eval_tasks.lighteval_adapter import noted_of, question_of
from eval_tasks.reference_answers import RULES, completion, reference_model


class ReferenceModel(custom_model.WritingModel):
    """One of the reference models, by the name in its config."""

    def __init__(self, config: CustomModelConfig) -> None:
        super().__init__(config)
        self._model = reference_model(config.model_name)

    def greedy_until(self, docs: list[Doc]) -> list[ModelResponse]:
        """Return what the model writes for each document."""
        return [ModelResponse(input=doc.query, text=[self._written(doc)]) for doc in docs]

    def _written(self, doc: Doc) -> str:
        if self._model == RULES:
            return rules.completion(doc.query)
        return completion(self._model, question_of(doc), json.loads(noted_of(doc)["constant"]))
