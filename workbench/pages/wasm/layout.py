"""The arguments of a printed function as its callers hand them over.

A native entry of numba returns a status and takes (result, error, arguments...). An array is its two owners,
both null here, its size, the size of an item, its place, its shape and its strides; a function is three
pointers, of which the third counts; a tuple is its parts in turn, and a record its fields. All integers are
64 bits wide, whatever the size of a pointer.
"""

import inspect

from numba import types

NUMBERS = {types.int64: "i64", types.uint64: "u64", types.float64: "f64", types.boolean: "bool"}
ITEMS = NUMBERS | {types.uint32: "u32", types.uint8: "u8"}


def described(kind):
    """Return a numba type as JSON: "f64", "u32[]", "f64[,]", "function", None for nothing.

    A tuple is a list, a NamedTuple an object.
    """
    if kind is types.none:
        return None
    if isinstance(kind, types.Array):
        return f"{ITEMS[kind.dtype]}[{',' * (kind.ndim - 1)}]"
    if isinstance(kind, types.FunctionType):
        return "function"
    if isinstance(kind, types.BaseNamedTuple):
        return dict(zip(kind.fields, map(described, kind), strict=True))
    if isinstance(kind, types.BaseTuple):
        return [described(part) for part in kind]
    return NUMBERS[kind]


def signature(printed):
    """Return the kinds of a `Printed` function's arguments by name, and that of its result, as JSON."""
    kinds, result = map(described, printed.signature.args), printed.signature.return_type
    names = inspect.signature(printed.function).parameters
    return {"arguments": dict(zip(names, kinds, strict=True)), "result": described(result)}
