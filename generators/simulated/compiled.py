"""The decorators of compiled functions.

No fast-math, so that results do not depend on how the compiler orders sums; divisions follow IEEE
754 instead of raising, which halves the time of a step.
"""

from numba import njit

compiled = njit(
    nogil=True,
    error_model="numpy",
    forceinline=True,
    no_cpython_wrapper=True,
    no_cfunc_wrapper=True,
)
"""For functions that an entry point calls: they become part of it. Python calls their `py_func`."""

entry_point = njit(nogil=True, error_model="numpy", cache=True)
"""For functions that Python calls; what they were compiled to is kept on disk."""
