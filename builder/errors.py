"""Errors of everything that builds and checks a release."""


class BuildError(Exception):
    """Base of every error that the builder raises on purpose.

    The message says what was wrong, where (config, row, file) and what to do.
    """


class NothingToBuildError(BuildError):
    """Nothing of what was asked for can be built; the message says why, config by config."""


class UnevenSeedError(BuildError):
    """A fresh test would have fewer questions, or more one-sided ones, than a release may have."""


class InvalidReleaseError(BuildError):
    """A folder is no valid release.

    Attributes:
        problems: Everything that was found, one line each.
    """

    def __init__(self, folder: str, problems: list[str]) -> None:
        self.problems = problems
        super().__init__(f"{folder} is no valid release: {len(problems)} problems")
