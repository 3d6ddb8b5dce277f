"""The printed kernels in wasmtime, called with the arguments of the native ones, for the tests."""

import functools
import json
import sys

import numpy as np
import wasmtime

from workbench.pages.wasm.build import MODULE, TABLE

ITEM = {"f64": 8, "i64": 8, "u64": 8, "u32": 4, "u8": 1}


@functools.cache
def _compiled():
    engine = wasmtime.Engine()
    return engine, wasmtime.Module(engine, MODULE.read_bytes())


class Kernels:
    """One instance of the module; each call copies its arrays in, and what may have changed out again."""

    def __init__(self):
        engine, module = _compiled()
        self.store = wasmtime.Store(engine)
        self.exports = wasmtime.Instance(self.store, module, []).exports(self.store)
        self.memory, self.table = self.exports["memory"], self.exports["__indirect_function_table"]
        self.functions = json.loads(TABLE.read_text(encoding="utf-8"))["functions"]
        self.places = {}
        # Where a result goes, and an error.
        self.result = self.exports["allocate"](self.store, 64)

    def place_of(self, export):
        """The place of a function in the table of those that kernels call."""
        if export not in self.places:
            self.places[export] = self.table.grow(self.store, 1, self.exports[export])
        return self.places[export]

    def call(self, export, arguments):
        described, arrays, owned = self.functions[export], {}, []
        flat = [self.result, self.result + 32]
        for kind, value in zip(described["arguments"].values(), arguments, strict=True):
            flat += self._flat(kind, value, arrays, owned)
        status = self.exports[export](self.store, *flat)
        assert status == 0, f"{export} ended with status {status}"
        for array, place in arrays.values():
            if array.flags.writeable:
                raw = self.memory.read(self.store, place, place + array.nbytes)
                array[...] = np.frombuffer(raw, array.dtype).reshape(array.shape)
        for place in owned:
            self.exports["release"](self.store, place)
        return self._result(described["result"])

    def _flat(self, kind, value, arrays, owned):
        if isinstance(kind, list | dict):
            parts = zip(kind.values() if isinstance(kind, dict) else kind, value, strict=True)
            return [word for part, one in parts for word in self._flat(part, one, arrays, owned)]
        if kind == "function":
            return [0, 0, self.place_of(export_of(value))]
        if kind == "f64":
            return [float(value)]
        if kind in ("i64", "u64", "bool"):
            return [int(value)]
        assert value.flags.c_contiguous
        assert value.itemsize == ITEM[kind.partition("[")[0]]
        # An array that is handed over twice is one array there too; of a writable and a read-only view the
        # writable one is what changes.
        key = value.__array_interface__["data"][0] if value.size else id(value)
        if key not in arrays:
            place = self.exports["allocate"](self.store, max(value.nbytes, 8))
            owned.append(place)
            self.memory.write(self.store, value.tobytes(), place)
            arrays[key] = value, place
        copy, place = arrays[key]
        assert copy.nbytes == value.nbytes
        if value.flags.writeable:
            arrays[key] = value, place
        return [0, 0, value.size, value.itemsize, place, *value.shape, *value.strides]

    def _result(self, kind):
        if kind is None:
            return None
        count = len(kind) if isinstance(kind, list) else 1
        raw = self.memory.read(self.store, self.result, self.result + 8 * count)
        if kind == "i64":
            return int(np.frombuffer(raw, np.int64)[0])
        numbers = np.frombuffer(raw, float).tolist()
        return tuple(numbers) if isinstance(kind, list) else numbers[0]


class Kernel:
    """A printed kernel as a function of the native one's arguments."""

    def __init__(self, kernels, export):
        self.kernels, self.export = kernels, export

    def __call__(self, *arguments):
        return self.kernels.call(self.export, arguments)


def export_of(function):
    """The name under which the module has a native function, or one of its own."""
    if isinstance(function, Kernel):
        return function.export
    module, name = function.py_func.__module__.rpartition(".")[2], function.py_func.__name__.strip("_")
    return name if module == "formulas" else f"{module.strip('_')}_{name}"


def swap(monkeypatch, *makers):
    """From now on these makers, as `_linear.steps`, give the printed kernels; returns the instance."""
    kernels = Kernels()
    for maker in makers:
        kernel, home = Kernel(kernels, export_of(maker())), sys.modules[maker().py_func.__module__]
        (name,) = (name for name, value in vars(home).items() if value is maker)
        monkeypatch.setattr(home, name, functools.update_wrapper(functools.partial(_same, kernel), maker))
    return kernels


def _same(kernel):
    return kernel
