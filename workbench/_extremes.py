"""Operations of the machine that Python has no words for: extremes for vector code, and prefetching.

A loop that keeps the largest value with `max` stays scalar, since the compiler may not regroup a
comparison; over `larger` and `smaller` it becomes vector code, here three times as fast.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def _operation(name):
    @intrinsic
    def operation(context, a, b):
        def generate(context, builder, signature, arguments):
            double = ir.DoubleType()
            kind = ir.FunctionType(double, [double, double])
            function = builder.module.declare_intrinsic(name, [double], kind)
            return builder.call(function, arguments, fastmath=("nnan", "nsz"))

        return types.float64(types.float64, types.float64), generate

    return operation


# Neither argument may be nan.
larger = _operation("llvm.maxnum")
smaller = _operation("llvm.minnum")


@intrinsic
def prefetch(context, array, place):
    """Ask for the cache line of array[place] ahead of its use; any place will do, none is read."""

    def generate(context, builder, signature, arguments):
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        address = builder.gep(view.data, [arguments[1]])
        byte, integer = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, integer, integer, integer])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        # For reading, to stay in every cache, data and not code.
        builder.call(function, [builder.bitcast(address, byte), integer(0), integer(3), integer(1)])
        return context.get_dummy_value()

    return types.none(array, place), generate
