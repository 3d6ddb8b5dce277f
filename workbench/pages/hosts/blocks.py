"""Values with arrays as one block of bytes, as hosts carry them; `runtime/hosts/blocks.js` is the other end.

A block is the length of its header (four bytes, little-endian), the header (JSON in UTF-8), and the bytes of
the arrays, each at a multiple of eight. In the header an array is {"$array": [dtype, shape, offset]}, with
the byte order in its dtype, and a number that JSON lacks is {"$number": "Infinity"}.
"""

import json
import math

import numpy as np

from workbench._support.errors import InputError

ARRAY, NUMBER = "$array", "$number"
ALIGNMENT = 8
KINDS = "biuf"


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
    block = memoryview(block).cast("B")
    try:
        start = 4 + int.from_bytes(block[:4], "little")
        if start > len(block):
            raise ValueError("its header is cut off")
        return json.loads(
            bytes(block[4:start]).decode(), object_hook=lambda entry: _revived(entry, block[start:])
        )
    except (ValueError, TypeError, KeyError, UnicodeDecodeError) as error:
        raise InputError(f"block: the bytes are not a value that a page sends ({error})") from None


def _revived(entry, body):
    if entry.keys() == {ARRAY}:
        dtype, shape, offset = entry[ARRAY]
        kind, count = np.dtype(dtype), math.prod(shape)
        if kind.kind not in KINDS or not 0 <= offset <= len(body):
            raise ValueError(f"array {dtype} at {offset}")
        return np.frombuffer(body, dtype=kind, count=count, offset=offset).reshape(shape).copy()
    if entry.keys() == {NUMBER}:
        return float(entry[NUMBER].replace("Infinity", "inf"))
    return entry
