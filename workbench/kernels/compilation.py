"""On-demand compilation with numba, kept on disk as `kernel_cache` says."""

import contextlib
import functools
import gc
import inspect
import threading
import time
from collections.abc import Callable
from typing import Annotated, Any, TypeVar, get_args, get_origin

import numba
import numpy as np
from numba import extending, types
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import Signature
from numba.experimental.function_type import FunctionModel
from numpy.typing import NDArray

from workbench.kernels import interpreting, kernel_cache

Inner = TypeVar("Inner", bound=Callable[..., object])

# The types of the arguments of compiled functions: for Python, and for numba.
FLOAT = Annotated[float, types.float64]
INTEGER = Annotated[int, types.int64]
FLAG = Annotated[bool, types.boolean]
# Unsigned offsets spare numba the test for negative indices at every access.
OFFSET = Annotated[int, types.uint64]
# A read-only array type takes writable arrays as well; the writable one refuses read-only arrays.
VECTOR = Annotated[NDArray[np.float64], types.Array(types.float64, 1, "C", readonly=True)]
WRITABLE = Annotated[NDArray[np.float64], types.Array(types.float64, 1, "C")]
INDICES = Annotated[NDArray[np.uint32], types.Array(types.uint32, 1, "C", readonly=True)]
QUEUE = Annotated[NDArray[np.uint32], types.Array(types.uint32, 1, "C")]
OFFSETS = Annotated[NDArray[np.uint64], types.Array(types.uint64, 1, "C", readonly=True)]
BITS = Annotated[NDArray[np.uint64], types.Array(types.uint64, 1, "C")]
LABELS = Annotated[NDArray[np.int64], types.Array(types.int64, 1, "C", readonly=True)]
INTEGERS = Annotated[NDArray[np.int64], types.Array(types.int64, 1, "C")]
FLAGS = Annotated[NDArray[np.uint8], types.Array(types.uint8, 1, "C")]
READABLE_TABLE = Annotated[NDArray[np.float64], types.Array(types.float64, 2, "C", readonly=True)]
TABLE = Annotated[NDArray[np.float64], types.Array(types.float64, 2, "C")]

# Functions as arguments.
SCALAR_TYPE = Callable[[FLOAT, VECTOR], FLOAT]
COORDINATE_TYPE = Callable[[FLOAT, FLOAT, FLOAT, VECTOR], FLOAT]
PRIMAL_TYPE = Callable[[FLOAT, FLOAT, VECTOR], FLOAT]
ROW_ADD_TYPE = Callable[[INDICES, VECTOR, OFFSET, OFFSET, FLOAT, VECTOR, WRITABLE, WRITABLE, VECTOR], FLOAT]
ROW_PROBE_TYPE = Callable[
    [INDICES, VECTOR, OFFSET, OFFSET, FLOAT, VECTOR, VECTOR, VECTOR], tuple[FLOAT, FLOAT, FLOAT]
]
REFRESH_TYPE = Callable[[VECTOR, VECTOR, WRITABLE, WRITABLE], FLOAT]

# No code is called from C: a `Function` has the address of the code that compiled functions call.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True}

# For a page or a progress line: the function that is being compiled and the number of compiled functions.
# "solves" is the number of calls of `solve` and `fit` that have ended.
progress: dict[str, Any] = {"current": None, "done": 0, "solves": 0}
# Estimated seconds of a compilation, for each function and each byte of its code, and seconds of Python for
# each array entry in a first call. A factor of two in them changes the time of a first answer little.
PER_FUNCTION, PER_BYTE, PER_ENTRY = 0.05, 6e-4, 1e-6
# Time that Python may spend on a function, as a multiple of its compilation time; `at_once` sets it to 0.
patience = 1.0

_lock = threading.RLock()


@contextlib.contextmanager
def at_once():
    """Compile each function at its first call within this context, as a measurement of time needs."""
    global patience
    before, patience = patience, 0.0
    try:
        yield
    finally:
        patience = before


def jit(function, signature):
    """Return a module-level function for a signature, compiled when it is worth it: see `Waiting`."""
    with _lock:
        compiled = numba.njit(**OPTIONS)(function)
        compiled.declared, compiled.__class__ = _own(signature), Argument
        if cache := kernel_cache.cache_of(function):
            compiled._cache = cache
        compiled.begin_waiting()
    return compiled


def lazy_jit(function):
    """Return a function without arguments that compiles a module-level function once and returns it.

    The signature follows from the annotations, as `type_of` reads them.
    """
    return functools.cache(lambda: jit(function, _annotated(function)))


class _InlineLibrary(JITCodeLibrary):
    """The code of a function that only compiled ones call: they optimize it and turn it into machine code."""

    def _optimize_final_module(self):
        pass

    @property
    def codegen(self):
        return self  # since no machine has this code, numba can tell it no environment

    def set_env(self, name, environment):
        pass

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True


class Inlined(CPUDispatcher):
    """A function that compiled functions inline; called from Python, it runs as `interpreting.run` says."""

    def __call__(self, *arguments):
        return interpreting.run(self.py_func, arguments)


class _InlineCompiler(Compiler):
    def _compile_core(self):
        self.state.library = _InlineLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super()._compile_core()


def inline(function: Inner) -> Inner:
    """Decorate a function that compiled ones call, which keeps the types that it has in Python."""
    options: dict[str, Any] = {**OPTIONS, "no_cpython_wrapper": True, "pipeline_class": _InlineCompiler}
    compiled: Any = numba.njit(**options)(function)
    compiled.__class__ = Inlined
    return compiled


@inline
def overwrite(out, values):
    """Do `out[:] = values`, for which numba compiles the texts of errors as well, which takes seconds."""
    for k in range(out.shape[0]):
        out[k] = values[k]


class _Intrinsic(extending._Intrinsic):  # type: ignore[name-defined]
    """A function in LLVM's language, which Python runs in its own."""

    def __call__(self, *arguments):
        return self._defn.plain(*arguments)


def intrinsic(plain: Callable[..., object]) -> Callable[..., Any]:
    """Return a decorator of a function in LLVM's language with the results of `plain`, to the bit."""

    def decorate(function):
        function.plain = plain
        result = extending.intrinsic(function)
        result.__class__ = _Intrinsic
        return result

    return decorate


def _annotated(function):
    signature = inspect.signature(function)
    return type_of(signature.return_annotation)(
        *(type_of(parameter.annotation) for parameter in signature.parameters.values())
    )


def type_of(annotation):
    """Return the numba type of an annotation: of this module, or a tuple, function or NamedTuple of them."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation is None:
        return types.void
    if origin is Annotated:
        return arguments[1]
    if origin is tuple:
        return types.Tuple(tuple(map(type_of, arguments)))
    if origin is Callable:
        parameters, result = arguments
        return types.FunctionType(type_of(result)(*map(type_of, parameters)))
    fields = [type_of(field) for field in annotation.__annotations__.values()]
    return types.BaseTuple.from_types(fields, annotation)


SCALAR, COORDINATE, PRIMAL, ROW_ADD, ROW_PROBE, REFRESH = (
    type_of(kind).signature
    for kind in (SCALAR_TYPE, COORDINATE_TYPE, PRIMAL_TYPE, ROW_ADD_TYPE, ROW_PROBE_TYPE, REFRESH_TYPE)
)


def functions(cls):
    """Decorate a NamedTuple of compiled functions, so that numba knows its type without a look at each.

    That look takes 20 microseconds for six functions, ten times as long as the rest of a call.
    """
    cls._numba_type_ = _own(type_of(cls))
    return cls


def checked(record):
    """Return a NamedTuple of compiled functions, each of which has the type that its field declares."""
    for name, function, declared in zip(record._fields, record, record._numba_type_.types, strict=True):
        if function._numba_type_ != declared:
            raise TypeError(f"{name} is a function of type {function._numba_type_}; expected {declared}")
    return record


class Function(types.FunctionType):
    """A function as an argument of a kernel, which knows its addresses.

    numba would look them up at every call, which with ten such arguments takes longer than a short epoch's
    arithmetic.
    """


extending.register_model(Function)(FunctionModel)


@extending.unbox(Function)
def _unbox(kind, function, c):
    native = cgutils.create_struct_proxy(kind)(c.context, c.builder)
    address = c.pyapi.object_getattr_string(function, "jit_addr")
    with c.builder.if_then(cgutils.is_null(c.builder, address), likely=False):
        c.builder.ret(c.pyapi.get_null_object())  # the error says that it has no such attribute
    native.jit_addr = c.pyapi.long_as_voidptr(address)
    native.c_addr = cgutils.get_null_value(native.c_addr.type)
    c.pyapi.decref(address)
    native.py_addr = c.builder.ptrtoint(function, c.context.get_value_type(types.voidptr))
    return extending.NativeValue(native._getvalue())


def _own(kind):
    """Return a signature or a type with `Function` in place of numba's function types."""
    if isinstance(kind, types.FunctionType):
        return Function(_own(kind.signature))
    if isinstance(kind, (types.Tuple, types.UniTuple, types.NamedTuple, types.NamedUniTuple)):
        named = getattr(kind, "instance_class", None)
        return types.BaseTuple.from_types([_own(part) for part in kind.types], named)
    if isinstance(kind, Signature):
        return kind.return_type(*map(_own, kind.args))
    return kind


class Argument(CPUDispatcher):
    """A compiled function of one signature that may be an argument of a kernel: see `Function`."""

    __name__: str
    _cache: Any
    declared: Any  # the signature

    @functools.cached_property
    def _numba_type_(self):
        return Function(self.declared)

    @functools.cached_property
    def jit_addr(self):
        self.make()
        overload: Any = next(iter(self.overloads.values()))
        return overload.library.get_pointer_to_function(overload.fndesc.llvm_func_name)

    def begin_waiting(self):
        self.cost, self.per_entry = PER_FUNCTION + PER_BYTE * _bytes(self.py_func), PER_ENTRY
        self.python_seconds, self.solves, self.__class__ = 0.0, progress["solves"], Waiting

    def make(self):
        """Load the machine code, or compile it."""
        with _lock:
            if self.overloads:
                return
            progress["current"], collects = self.__name__, gc.isenabled()
            gc.disable()  # a tenth of the time: numba's objects are many and stay
            try:
                self.compile(self.declared)
                self.disable_compile()
            finally:
                if collects:
                    gc.enable()
                kernel_cache.notice.end()
                progress["current"] = None
                progress["done"] += 1
            self.__class__ = Argument


class Waiting(Argument):
    """A function that Python runs in a first solve, until that has taken as long as compilation would.

    Both ways return the same bits, so results do not depend on time.
    """

    def __call__(self, *arguments):
        entries = interpreting.count_entries(arguments)
        is_worth_it = self.python_seconds + self.per_entry * entries >= patience * self.cost
        is_kept = isinstance(self._cache, kernel_cache.KernelCache) and self._cache.exists()
        if is_worth_it or is_kept or progress["solves"] > self.solves:
            self.make()
            return self(*arguments)
        start = time.thread_time()
        try:
            return interpreting.call(self, arguments)
        finally:
            seconds = time.thread_time() - start
            self.python_seconds += seconds
            self.per_entry = seconds / max(entries, 1)


def _bytes(function):
    """Count the bytes of a function's code and of those that it inlines."""
    inner = map(function.__globals__.get, function.__code__.co_names)
    return len(function.__code__.co_code) + sum(_bytes(f.py_func) for f in inner if isinstance(f, Inlined))


@functools.cache
def formula(name, signature):
    """Compile a generated function of `workbench.kernels.formulas` for a signature of this module."""
    from workbench.kernels import formulas

    return jit(getattr(formulas, name), signature)
