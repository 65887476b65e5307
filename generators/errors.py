"""Errors of everything that generates data."""


class GeneratorError(Exception):
    """Base of every error that a generator raises on purpose.

    The message says what was wrong, where (file, row, patient, minute) and what to do.
    """


class NoScheduleError(GeneratorError):
    """A patient's month has no place for all the faults that were to be drawn."""
