"""The decorators of compiled functions.

No fast-math, so that results do not depend on how the compiler orders sums; divisions follow IEEE
754 instead of raising, which halves the time of a step. No reference counting: compiled code works
in arrays that Python has allocated, which saves a third of the time of a run and of compilation.
"""

from typing import Any

from numba import njit
from numba.extending import register_jitable

_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,
    "no_cfunc_wrapper": True,
}

compiled = register_jitable(**_OPTIONS, forceinline=True, no_cpython_wrapper=True)
"""For functions that an entry point calls: they become part of it. Called from Python, as tests do,
they run as plain Python."""

entry_point: Any = njit(**_OPTIONS, cache=True)
"""For functions that Python calls; what they were compiled to is kept on disk."""
