"""Errors of the longevity benchmark."""

from generators.errors import GeneratorError


class LongevityError(GeneratorError):
    """A rule, a profile or an item is inconsistent; the message names it and what to change."""
