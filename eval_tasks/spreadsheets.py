"""Texts in CSV files that people open in a spreadsheet."""

_BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def no_formula(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: after a blank where it could be one.

    >>> no_formula("=1+1"), no_formula("lab/model-1")
    (' =1+1', 'lab/model-1')
    """
    return f" {text}" if text.startswith(_BEGIN_FORMULAS) else text
