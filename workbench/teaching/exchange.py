"""Values between a judge and a submission as lines of JSON: numbers, texts, arrays, functions by a number."""

import base64
import builtins
import contextlib
import json

import numpy as np

from workbench.teaching.answers import typed

# No answer is as long, and no message; a judge reads no further.
MAX_ENTRIES, MAX_BYTES, MAX_TEXT = 100_000, 2**24, 500
NUMERIC = "biuf"


class Ended(Exception):
    """The other side has ended, or says what is no message."""


class Line:
    """Messages through two files, one a line."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    def say(self, **message):
        self.writer.write(json.dumps(message).encode() + b"\n")
        self.writer.flush()

    def hear(self):
        """The next message, a dict.

        Raises
        ------
        Ended
        TimeoutError
        """
        with contextlib.suppress(ValueError, RecursionError, ConnectionError):
            line = self.reader.readline(MAX_BYTES)
            message = json.loads(line) if line.endswith(b"\n") else None
            if isinstance(message, dict):
                return message
        raise Ended

    def ask(self, **message):
        self.say(**message)
        return self.hear()


def plain(value, function=lambda value: None):
    """A value as JSON has it: numbers, texts, arrays, and what is made of them; None for anything else.

    Parameters
    ----------
    value : object
    function : callable
        Of something to call: what stands for it.
    """
    value = typed(value)
    if value is None or isinstance(value, type(...)):
        return None
    if callable(value):
        return {"function": function(value)}
    if type(value) in (tuple, list):
        return {type(value).__name__: [plain(each, function) for each in value]}
    if isinstance(value, dict):
        return {"dict": [[plain(key), plain(each, function)] for key, each in value.items()]}
    if issubclass(type(value), str):
        return str.strip(value)
    for kinds in ((bool, np.bool_), (int, np.integer), (float, np.floating)):
        if isinstance(value, kinds):
            return kinds[0](value)
    with contextlib.suppress(Exception):
        return _array(value)
    return None


def _array(value):
    array = np.asarray(value.todense() if hasattr(value, "todense") else value)
    if array.dtype == object and all(isinstance(each, str) for each in array.flat):
        array = array.astype(str)
    if array.dtype.kind == "U" and array.size <= MAX_ENTRIES:
        return {"texts": array.tolist()}
    if array.dtype.kind not in NUMERIC:
        # Fractions, SymPy's numbers, columns of pandas.
        array = np.array(array, dtype=float)
    if array.size > MAX_ENTRIES:
        return None
    array = np.array(array, order="C", copy=True, subok=False)
    return {"array": [array.dtype.str, list(array.shape), base64.b64encode(array.tobytes()).decode()]}


def restored(plain, function=None):
    """The value that `plain` stands for.

    Raises
    ------
    ValueError, TypeError, KeyError
        It stands for none.
    """
    if not isinstance(plain, dict):
        return plain
    ((kind, value),) = plain.items()
    if kind == "array":
        name, shape, text = value
        dtype = np.dtype(str(name))
        if dtype.kind not in NUMERIC:
            raise ValueError(f"an array of {dtype}")
        # One byte may hold what is neither true nor false.
        stored = np.dtype(np.uint8) if dtype.kind == "b" else dtype
        return np.frombuffer(base64.b64decode(text), stored).reshape(shape).astype(dtype)
    if kind == "texts":
        return np.array(value, dtype=str)
    if kind == "dict":
        return {restored(key, function): restored(each, function) for key, each in value}
    if kind == "function" and function is not None:
        return function(value)
    return {"tuple": tuple, "list": list}[kind](restored(each, function) for each in value)


def error_of(kind, text):
    """The exception of that name, with what it says."""
    cls = getattr(builtins, str(kind), None)
    with contextlib.suppress(TypeError):
        if issubclass(cls, Exception):
            return cls(str(text)[:MAX_TEXT])
    return RuntimeError(f"{kind}: {text}"[:MAX_TEXT])
