"""Functions whose convexity hangs on a parameter or a narrow place, from `parameter_pairs.toml`."""

from dataclasses import dataclass, field

from tests.corpora import table


@dataclass(frozen=True)
class Family:
    """A function of u with parameters, and where it is to be compared."""

    name: str
    p: str
    parameters: dict[str, str]
    values: tuple[dict[str, float], ...]
    slopes: tuple[str, ...] = ("0",)
    nonconvex: tuple[tuple[dict[str, float], tuple[str, str, str]], ...] = ()
    domain: str | None = None
    variable: str = field(default="u", repr=False)


@dataclass(frozen=True)
class Narrow:
    """A function without parameters, or with one that `values` give a number."""

    name: str
    p: str
    witness: tuple[str, str, str] | None = None
    domain: str | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    values: dict[str, float] = field(default_factory=dict)
    variable: str = field(default="u", repr=False)


def _tuples(row):
    """A row whose lists are tuples."""
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    if "nonconvex" in fields:
        fields["nonconvex"] = tuple((entry["at"], tuple(entry["places"])) for entry in fields["nonconvex"])
    return fields


_TABLES = table("parameter_pairs")
FAMILIES = tuple(Family(**_tuples(row)) for row in _TABLES["families"])
PLACES = tuple(Narrow(**_tuples(row)) for row in _TABLES["narrow"])
