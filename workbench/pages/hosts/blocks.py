"""Values with arrays as one block of bytes, as hosts carry them; `runtime/hosts/blocks.js` is the other end.

A block is the length of its header (four bytes, little-endian), the header (JSON in UTF-8), and the bytes of
the arrays, each at a multiple of eight. In the header an array is {"$array": [dtype, shape, offset]}, with
the byte order in its dtype, and a number that JSON lacks is {"$number": "Infinity"}.
"""

import json
import math
import re

import numpy as np

from workbench._support.errors import InputError

ARRAY, NUMBER = "$array", "$number"
ALIGNMENT = 8
KINDS = "biuf"
DTYPE = re.compile(r"[<|][biuf][1248]")
# Characters of a reason, and bytes of a header: what is large comes as arrays.
LONGEST, MOST_HEADER = 100, 2**20
# What the texts of another program may cause in what reads them.
UNREADABLE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


def packed(value):
    """Return a value as bytes.

    Parameters
    ----------
    value : dict, list, str, number, bool, None, bytes or array
        Dicts and lists hold the like; arrays are of numbers.
    """
    arrays, offset = [], 0

    def plain(part):
        nonlocal offset
        if isinstance(part, bytes | bytearray | memoryview):
            part = np.frombuffer(part, dtype=np.uint8)
        if isinstance(part, np.ndarray):
            if part.dtype.kind not in KINDS:
                raise InputError(f"block: an array of {part.dtype} cannot be sent; use numbers")
            array = np.ascontiguousarray(part, dtype=part.dtype.newbyteorder("<"))
            entry = {ARRAY: [array.dtype.str, list(array.shape), offset]}
            arrays.append(array)
            offset += array.nbytes + -array.nbytes % ALIGNMENT
            return entry
        if isinstance(part, dict):
            return {name: plain(inner) for name, inner in part.items()}
        if isinstance(part, list | tuple):
            return [plain(inner) for inner in part]
        if isinstance(part, np.generic):
            part = part.item()
        if isinstance(part, float) and not math.isfinite(part):
            return {NUMBER: repr(part).replace("inf", "Infinity").replace("nan", "NaN")}
        return part

    header = json.dumps(plain(value), allow_nan=False, separators=(",", ":"), ensure_ascii=False).encode()
    header += b" " * (-(len(header) + 4) % ALIGNMENT)
    pieces = [len(header).to_bytes(4, "little"), header]
    for array in arrays:
        pieces += [array.tobytes(), bytes(-array.nbytes % ALIGNMENT)]
    return b"".join(pieces)


def opened(block):
    """Return the value of a block; its arrays are copies.

    Raises
    ------
    InputError
        The bytes are not a block.
    """
    room = 0

    def revived(entry):
        nonlocal room
        if entry.keys() == {ARRAY}:
            dtype, shape, offset = entry[ARRAY]
            sizes = [*shape, offset]
            if not DTYPE.fullmatch(dtype) or not all(type(size) is int and size >= 0 for size in sizes):
                raise ValueError(f"array {dtype} at {offset}")
            array = np.frombuffer(body, dtype, count=math.prod(shape), offset=offset).reshape(shape)
            room -= array.nbytes
            if room < 0:
                raise ValueError("arrays overlap")
            return array.copy()
        if entry.keys() == {NUMBER}:
            return float(entry[NUMBER].replace("Infinity", "inf"))
        return entry

    try:
        block = memoryview(block).cast("B")
        length = int.from_bytes(block[:4], "little")
        start = 4 + length
        if start > len(block) or length > MOST_HEADER:
            raise ValueError(f"its header of {length} bytes is cut off or too long")
        body = block[start:]
        room = len(body)
        return json.loads(bytes(block[4:start]).decode(), object_hook=revived)
    except UNREADABLE as error:
        reason = str(error)[:LONGEST]
        raise InputError(f"block: the bytes are not a value that a page sends ({reason})") from None
