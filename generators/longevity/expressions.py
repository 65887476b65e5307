"""Conditions over a person's facts, written as text: `tsh>=10 and ft4<0.8`.

The grammar is a small part of Python's: and, or, not, comparisons of one number or the sex with a
constant, flags, and `nt(a, b, c)`, the number of its arguments that are true. A missing number
makes its comparison false, a missing flag is false. Text is parsed once into the nodes below;
nothing is ever executed.
"""

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from generators.longevity.errors import LongevityError
from generators.longevity.markers import NUMBERS
from generators.longevity.vocabulary import FLAGS, Facts, Sex

Comparison: TypeAlias = Callable[[float, float], bool]

_COMPARISONS: Mapping[type[ast.cmpop], Comparison] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
}


@dataclass(frozen=True, slots=True)
class Flag:
    """True where the flag is set."""

    name: str

    def holds(self, facts: Facts) -> bool:
        """Return whether the flag is set."""
        return self.name in facts.flags


@dataclass(frozen=True, slots=True)
class SexIs:
    """True for one sex."""

    sex: Sex

    def holds(self, facts: Facts) -> bool:
        """Return whether the person has this sex."""
        return facts.sex == self.sex


@dataclass(frozen=True, slots=True)
class Number:
    """A measurement or the age compared with a limit; false where it was not measured."""

    name: str
    compare: Comparison
    limit: float

    def holds(self, facts: Facts) -> bool:
        """Return whether the number is known and the comparison true."""
        value = facts.numbers.get(self.name)
        return value is not None and self.compare(value, self.limit)


@dataclass(frozen=True, slots=True)
class Not:
    """True where the part is not."""

    part: "Expression"

    def holds(self, facts: Facts) -> bool:
        """Return whether the part is false."""
        return not self.part.holds(facts)


@dataclass(frozen=True, slots=True)
class AllOf:
    """True where all parts are."""

    parts: tuple["Expression", ...]

    def holds(self, facts: Facts) -> bool:
        """Return whether all parts are true."""
        return all(part.holds(facts) for part in self.parts)


@dataclass(frozen=True, slots=True)
class AnyOf:
    """True where at least one part is."""

    parts: tuple["Expression", ...]

    def holds(self, facts: Facts) -> bool:
        """Return whether at least one part is true."""
        return any(part.holds(facts) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Count:
    """The number of true parts compared with a limit."""

    parts: tuple["Expression", ...]
    compare: Comparison
    limit: float

    def holds(self, facts: Facts) -> bool:
        """Return whether enough parts are true."""
        return self.compare(sum(part.holds(facts) for part in self.parts), self.limit)


Expression: TypeAlias = Flag | SexIs | Number | Not | AllOf | AnyOf | Count


def parse_expression(text: str) -> Expression:
    """Read a condition.

    Raises:
        LongevityError: The text is not in the grammar, or names a number or flag that no profile
            can have.
    """
    try:
        return _node(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, LongevityError) as error:
        raise LongevityError(f"condition {text!r}: {error}") from error


def limits(expression: Expression, sex: Sex) -> Iterator[tuple[str, float]]:
    """Yield each number and limit that the expression compares for a person of this sex."""
    match expression:
        case Number(name=name, limit=limit):
            yield name, limit
        case Not(part=part):
            yield from limits(part, sex)
        case AllOf(parts=parts) | AnyOf(parts=parts) | Count(parts=parts):
            if isinstance(expression, AllOf) and _other_sex(parts, sex):
                return
            for part in parts:
                yield from limits(part, sex)
        case _:
            return


def _other_sex(parts: tuple[Expression, ...], sex: Sex) -> bool:
    return any(isinstance(part, SexIs) and part.sex != sex for part in parts)


def _node(node: ast.expr) -> Expression:
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            return AllOf(_nodes(values))
        case ast.BoolOp(values=values):
            return AnyOf(_nodes(values))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return Not(_node(operand))
        case ast.Compare(left=left, ops=[sign], comparators=[right]):
            return _comparison(left, sign, right)
        case ast.Name(id=name) if name in FLAGS:
            return Flag(name)
    raise LongevityError(f"{ast.unparse(node)!r} is no known flag and no comparison")


def _nodes(nodes: list[ast.expr]) -> tuple[Expression, ...]:
    return tuple(_node(node) for node in nodes)


def _comparison(left: ast.expr, sign: ast.cmpop, right: ast.expr) -> Expression:
    compare = _COMPARISONS.get(type(sign))
    if compare is None:
        raise LongevityError(f"the comparison with {ast.unparse(right)!r} is not allowed")
    match left:
        case ast.Name(id="sex") if isinstance(sign, ast.Eq):
            return SexIs(_sex(right))
        case ast.Name(id=name) if name in NUMBERS:
            return Number(name, compare, _limit(right))
        case ast.Call(func=ast.Name(id="nt"), args=arguments, keywords=[]):
            return Count(_nodes(arguments), compare, _limit(right))
    raise LongevityError(f"{ast.unparse(left)!r} is no known number")


def _limit(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return float(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -float(value)
    raise LongevityError(f"{ast.unparse(node)!r} is no number to compare with")


def _sex(node: ast.expr) -> Sex:
    match node:
        case ast.Constant(value="F"):
            return "F"
        case ast.Constant(value="M"):
            return "M"
    raise LongevityError(f"{ast.unparse(node)!r} is no sex; write 'F' or 'M'")
