"""The decorator of compiled functions.

No fast-math, so that results do not depend on how the compiler orders sums; divisions follow IEEE
754 instead of raising, which halves the time of a step.
"""

from numba import njit

compiled = njit(nogil=True, error_model="numpy")
"""For functions that are called by an entry point."""

entry_point = njit(nogil=True, error_model="numpy", cache=True)
"""For functions that Python calls; what they were compiled to is kept on disk."""
