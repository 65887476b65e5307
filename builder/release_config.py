"""The declared content of a release: a YAML file per version that freezes when it is tagged."""

import hashlib
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

import yaml
from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError

from builder.errors import BuildError
from generators.questions.task import Level, Task, TaskType

HIGHEST_SEED = 2**53 - 1
"""Every reader of JSON keeps whole numbers up to here; the rows' column holds 64 bits."""
Quota = Mapping[TaskType, Mapping[Level, PositiveInt]]


class ReleaseConfig(BaseModel):
    """What a release is made of.

    Attributes:
        version: Release version, X.Y.Z.
        seed: Release seed.
        test_quota: Instances of each task in `test`, by task type and level.
        test_total: What the instances of a task type may add up to in `test`.
        real_world_test_quota: Like test_quota, for the config real_world.
        real_world_test_total: Like test_total, for the tasks that the config real_world can ask.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str = Field(pattern=r"^\d+\.\d+\.\d+$")
    seed: int = Field(ge=0, le=HIGHEST_SEED)
    test_quota: Quota
    test_total: Mapping[TaskType, PositiveInt]
    real_world_test_quota: Quota
    real_world_test_total: Mapping[TaskType, PositiveInt] = {}

    @property
    def sha256(self) -> str:
        """Digest of the content, for the manifest."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


def load_release_config(version: str) -> ReleaseConfig:
    """Return the declared content of a release version.

    Raises:
        BuildError: No such version is declared, or its file is not valid.
    """
    folder = files("builder.releases")
    path = folder / f"{version}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(_versions(folder)))
        raise BuildError(f"builder/releases declares no version {version}; it has {known}")
    try:
        return ReleaseConfig.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (ValidationError, yaml.YAMLError) as error:
        raise BuildError(f"builder/releases/{version}.yaml is not valid: {error}") from error


def quota_of(task: Task, quota: Quota) -> int:
    """Return how many instances of a task the split `test` holds.

    Raises:
        BuildError: The quota says nothing about the task's type and level.
    """
    try:
        return quota[task.type][task.level]
    except KeyError as error:
        raise BuildError(
            f"the release's quota names no number for {task.type}, {task.level} ({task.id})"
        ) from error


def _versions(folder: Traversable) -> list[str]:
    return [path.name.removesuffix(".yaml") for path in folder.iterdir() if ".yaml" in path.name]
