"""Reproducible random streams: every draw is addressed by a key, none depends on another.

A stream is a Philox4x64 counter generator (Salmon et al. 2011) whose 128-bit key is a digest of
(release seed, stream name, further keys such as patient, day or task). Adding a patient, a day or
a stream therefore shifts nothing else, and any single draw can be repeated alone. Only the raw
64-bit words come from numpy: uniforms and normals are made here, because numpy promises equal
distributions only within one build (NEP 19).
"""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.random import Philox  # noqa: TID251 - the one place that may
from numpy.typing import NDArray

from generators.errors import GeneratorError

T = TypeVar("T")
Key = str | int

_SEPARATOR = "\x1f"


class Stream:
    """Draws from the stream that a key names.

    Args:
        seed: Release seed, any integer.
        name: What the stream is for, for example "meals" or "question".
        keys: Further keys, for example patient and day.

    Raises:
        GeneratorError: A key contains the separator character.
    """

    def __init__(self, seed: int, name: str, *keys: Key) -> None:
        parts = [str(int(seed)), name, *(f"{type(key).__name__}:{key}" for key in keys)]
        if any(_SEPARATOR in part for part in parts):
            raise GeneratorError(f"the key {parts!r} of a stream contains a control character")
        digest = hashlib.blake2b(_SEPARATOR.join(parts).encode(), digest_size=16).digest()
        self._words = Philox(key=int.from_bytes(digest, "little"))

    def uniform(self, size: int) -> NDArray[np.float64]:
        """Return `size` uniform numbers in [0, 1), multiples of 2**-53."""
        raw = self._words.random_raw(size)
        return (raw >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def normal(self, size: int) -> NDArray[np.float64]:
        """Return `size` standard normal numbers, rounded to multiples of 2**-20."""
        return np.floor(_normal_quantile(self.uniform(size) + 2.0**-54) * 2.0**20 + 0.5) * 2.0**-20

    def integer(self, low: int, high: int) -> int:
        """Return one integer from low to high, both included.

        Raises:
            GeneratorError: high is below low.
        """
        if high < low:
            raise GeneratorError(f"no integer lies between {low} and {high}")
        return low + int(self.uniform(1)[0] * (high - low + 1))

    def chance(self, probability: float) -> bool:
        """Return True with the given probability."""
        return bool(self.uniform(1)[0] < probability)

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items, each equally likely.

        Raises:
            GeneratorError: There are no items.
        """
        if not items:
            raise GeneratorError("there is nothing to choose from")
        return items[self.integer(0, len(items) - 1)]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order (Fisher-Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.integer(0, last)
            order[last], order[other] = order[other], order[last]
        return order


def _normal_quantile(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Inverse of the normal distribution function, algorithm AS 241 PPND16 (Wichura 1988)."""
    q = p - 0.5
    central = 0.180625 - q * q
    tail = np.sqrt(-np.log(np.minimum(p, 1.0 - p)))
    near, far = tail - 1.6, tail - 5.0
    outer = np.where(
        tail <= 5.0, _ratio(_NEAR_TOP, _NEAR_BOTTOM, near), _ratio(_FAR_TOP, _FAR_BOTTOM, far)
    )
    inner = q * _ratio(_CENTRAL_TOP, _CENTRAL_BOTTOM, central)
    return np.where(np.abs(q) <= 0.425, inner, np.copysign(outer, q))


def _ratio(
    top: tuple[float, ...], bottom: tuple[float, ...], x: NDArray[np.float64]
) -> NDArray[np.float64]:
    return np.polyval(top, x) / np.polyval(bottom, x)


_CENTRAL_TOP = (
    2.5090809287301226727e3,
    3.3430575583588128105e4,
    6.7265770927008700853e4,
    4.5921953931549871457e4,
    1.3731693765509461125e4,
    1.9715909503065514427e3,
    1.3314166789178437745e2,
    3.3871328727963666080e0,
)
_CENTRAL_BOTTOM = (
    5.2264952788528545610e3,
    2.8729085735721942674e4,
    3.9307895800092710610e4,
    2.1213794301586595867e4,
    5.3941960214247511077e3,
    6.8718700749205790830e2,
    4.2313330701600911252e1,
    1.0,
)
_NEAR_TOP = (
    7.74545014278341407640e-4,
    2.27238449892691845833e-2,
    2.41780725177450611770e-1,
    1.27045825245236838258e0,
    3.64784832476320460504e0,
    5.76949722146069140550e0,
    4.63033784615654529590e0,
    1.42343711074968357734e0,
)
_NEAR_BOTTOM = (
    1.05075007164441684324e-9,
    5.47593808499534494600e-4,
    1.51986665636164571966e-2,
    1.48103976427480074590e-1,
    6.89767334985100004550e-1,
    1.67638483018380384940e0,
    2.05319162663775882187e0,
    1.0,
)
_FAR_TOP = (
    2.01033439929228813265e-7,
    2.71155556874348757815e-5,
    1.24266094738807843860e-3,
    2.65321895265761230930e-2,
    2.96560571828504891230e-1,
    1.78482653991729133580e0,
    5.46378491116411436990e0,
    6.65790464350110377720e0,
)
_FAR_BOTTOM = (
    2.04426310338993978564e-15,
    1.42151175831644588870e-7,
    1.84631831751005468180e-5,
    7.86869131145613259100e-4,
    1.48753612908506148525e-2,
    1.36929880922735805310e-1,
    5.99832206555887937690e-1,
    1.0,
)
