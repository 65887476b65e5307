"""What our lighteval custom models share: they write text, and have neither tokens nor likelihoods.

lighteval takes the first subclass of its model class, by name, that it finds in the file of a custom
model. So those files import this module and not the class in it.
"""

from typing import NoReturn

from lighteval.models.abstract_model import LightevalModel
from lighteval.models.custom.custom_model import CustomModelConfig
from lighteval.tasks.requests import Doc
from lighteval.utils.cache_management import SampleCache

from eval_tasks.answers import GENERATION_SIZE
from eval_tasks.errors import EvaluationError


class WritingModel(LightevalModel):
    """A model that writes text; `greedy_until` says how."""

    def __init__(self, config: CustomModelConfig) -> None:
        self.config = config
        self._cache = SampleCache(config)

    def note(self, *, temperature: float, max_tokens: int) -> None:
        """Let lighteval's results tell how the model is asked, of which they know nothing else."""
        self.config.generation_parameters = self.config.generation_parameters.model_copy(
            update={"temperature": temperature, "max_new_tokens": max_tokens}
        )

    @property
    def tokenizer(self) -> NoReturn:
        """There is none."""
        raise EvaluationError(f"{self.config.model_name} has no tokenizer")

    @property
    def add_special_tokens(self) -> bool:
        """None are added."""
        return False

    @property
    def max_length(self) -> int:
        """Return the most tokens a completion may have."""
        return GENERATION_SIZE

    def loglikelihood(self, docs: list[Doc]) -> NoReturn:
        """There are no likelihoods.

        Raises:
            EvaluationError: Always.
        """
        del docs
        raise EvaluationError(f"{self.config.model_name} gives no likelihoods")

    def loglikelihood_rolling(self, docs: list[Doc]) -> NoReturn:
        """There are no likelihoods.

        Raises:
            EvaluationError: Always.
        """
        self.loglikelihood(docs)
