"""On-demand compilation with numba, kept on disk as `kernel_cache` says."""

import functools
import inspect
import threading

import numba
from numba import extending, types
from numba.core import cgutils, typing
from numba.core.registry import CPUDispatcher
from numba.experimental.function_type import FunctionModel

from workbench.kernels import kernel_cache

FLOAT = types.float64
# A read-only array type takes writable arrays as well; the writable one refuses read-only arrays.
VECTOR = types.Array(types.float64, 1, "C", readonly=True)
WRITABLE = types.Array(types.float64, 1, "C")
INDICES = types.Array(types.uint32, 1, "C", readonly=True)
# Unsigned offsets spare numba the test for negative indices at every access.
OFFSETS = types.Array(types.uint64, 1, "C", readonly=True)
OFFSET = types.uint64
FLAG, INTEGER = types.boolean, types.int64
INTEGERS, QUEUE = types.Array(INTEGER, 1, "C"), types.Array(types.uint32, 1, "C")
TABLE, READABLE_TABLE = (types.Array(FLOAT, 2, "C", readonly=readonly) for readonly in (False, True))
LABELS = types.Array(INTEGER, 1, "C", readonly=True)

SCALAR = FLOAT(FLOAT, VECTOR)
COORDINATE = FLOAT(FLOAT, FLOAT, FLOAT, VECTOR)
PRIMAL = FLOAT(FLOAT, FLOAT, VECTOR)
ROW_ADD = FLOAT(INDICES, VECTOR, OFFSET, OFFSET, FLOAT, VECTOR, WRITABLE, WRITABLE, VECTOR)
ROW_PROBE = types.UniTuple(FLOAT, 3)(INDICES, VECTOR, OFFSET, OFFSET, FLOAT, VECTOR, VECTOR, VECTOR)
REFRESH = FLOAT(VECTOR, VECTOR, WRITABLE, WRITABLE)

# Such functions as arguments.
SCALAR_TYPE, COORDINATE_TYPE = types.FunctionType(SCALAR), types.FunctionType(COORDINATE)
ROW_ADD_TYPE, ROW_PROBE_TYPE = types.FunctionType(ROW_ADD), types.FunctionType(ROW_PROBE)
REFRESH_TYPE = types.FunctionType(REFRESH)

OPTIONS = {"error_model": "numpy", "nogil": True}

# What is being compiled now and how many are done, for a page or a progress line to show.
progress = {"current": None, "done": 0}


_lock = threading.RLock()


def jit(function, signature=None, **options):
    """Compile a module-level function; with a signature at once, without one when first called."""
    with _lock:
        progress["current"] = function.__name__
        try:
            options = {**OPTIONS, **options}
            compiled = numba.njit(**options)(function)
            if cache := kernel_cache.cache_of(function, options):
                compiled._cache = cache
            if signature is not None:
                compiled.compile(_own(signature))
                compiled.disable_compile()
        finally:
            progress["current"] = None
            progress["done"] += 1
    if signature is not None:
        compiled.__class__ = _Argument
    return compiled


def lazy_jit(function, signature=None):
    """Return a function without arguments that compiles a module-level function once and returns it.

    Without a signature, it follows from the annotations: each is a numba type or a class with `record`.
    """
    return functools.cache(lambda: jit(function, signature or _annotated(function)))


def _annotated(function):
    signature = inspect.signature(function)
    return type_of(signature.return_annotation)(
        *(type_of(parameter.annotation) for parameter in signature.parameters.values())
    )


def type_of(annotation):
    """Return the numba type of an annotation: itself, or that of a NamedTuple of annotated fields."""
    if isinstance(annotation, types.Type):
        return annotation
    fields = [type_of(field) for field in annotation.__annotations__.values()]
    return types.BaseTuple.from_types(fields, annotation)


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
    for name in ("c_addr", "jit_addr"):
        address = c.pyapi.object_getattr_string(function, name)
        with c.builder.if_then(cgutils.is_null(c.builder, address), likely=False):
            c.builder.ret(c.pyapi.get_null_object())  # the error says that it has no such attribute
        setattr(native, name, c.pyapi.long_as_voidptr(address))
        c.pyapi.decref(address)
    native.py_addr = c.builder.ptrtoint(function, c.context.get_value_type(types.voidptr))
    return extending.NativeValue(native._getvalue())


def _own(kind):
    """Return a signature or a type with `Function` in place of numba's function types."""
    if isinstance(kind, types.FunctionType):
        return Function(_own(kind.signature))
    if isinstance(kind, types.BaseTuple):
        named = getattr(kind, "instance_class", None)
        return types.BaseTuple.from_types([_own(part) for part in kind], named)
    if isinstance(kind, typing.Signature):
        return kind.return_type(*map(_own, kind.args))
    return kind


class _Argument(CPUDispatcher):
    """A compiled function of one signature that may be an argument of a kernel: see `Function`."""

    @functools.cached_property
    def _numba_type_(self):
        return Function(self._found.signature)

    @property
    def _found(self):
        (overload,) = self.overloads.values()
        return overload

    @functools.cached_property
    def c_addr(self):
        return self._found.library.get_pointer_to_function(self._found.fndesc.llvm_cfunc_wrapper_name)

    @functools.cached_property
    def jit_addr(self):
        return self._found.library.get_pointer_to_function(self._found.fndesc.llvm_func_name)


@functools.cache
def formula(name, signature):
    """Compile a generated function of `workbench.kernels.formulas` for a signature of this module."""
    from workbench.kernels import formulas

    return jit(getattr(formulas, name), signature)
