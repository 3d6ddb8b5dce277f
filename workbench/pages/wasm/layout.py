"""How a printed function takes its arguments, for whoever calls it.

A native entry of numba returns a status and takes (result, error, arguments...). An array is its two owners,
both null here, its size, the size of an item, its place, its shape and its strides; a function is three
pointers, of which the third counts; a tuple is its parts in turn. All integers are 64 bits wide, whatever the
size of a pointer.
"""

import inspect

from numba import types

NUMBERS = {types.int64: "i64", types.uint64: "u64", types.float64: "f64", types.boolean: "bool"}
ITEMS = NUMBERS | {types.uint32: "u32", types.uint8: "u8"}


def described(kind):
    """A numba type as JSON: "f64", "u32[]", "f64[,]", "function", a list for a tuple, None for nothing."""
    if kind is types.none:
        return None
    if isinstance(kind, types.Array):
        return f"{ITEMS[kind.dtype]}[{',' * (kind.ndim - 1)}]"
    if isinstance(kind, types.FunctionType):
        return "function"
    if isinstance(kind, types.BaseTuple):
        return [described(part) for part in kind]
    return NUMBERS[kind]


def signature(printed):
    """The names and the kinds of a `Printed` function's arguments, and the kind of its result, as JSON."""
    kinds, result = printed.signature.args, printed.signature.return_type
    names = list(inspect.signature(printed.function).parameters)
    return {"names": names, "arguments": [described(kind) for kind in kinds], "result": described(result)}
