"""Sums over eight lanes, in an order that is the same on every machine.

A loop that adds up numbers stays scalar, since the compiler may not regroup a sum; a permission to regroup
makes the order, and so the last bits, depend on the machine. Here vectors of eight stand in the code itself:
LLVM maps them to what a machine has, down to single numbers.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from workbench.kernels.compilation import intrinsic

WIDTH = 8
DOUBLE, LONG, INT = ir.DoubleType(), ir.IntType(64), ir.IntType(32)


def _vector(width):
    return ir.VectorType(DOUBLE, width)


def _place(context, builder, kind, array, start):
    """Return the address of array[start]."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [start])


def _lanes(builder, place, k, width):
    """Return a pointer to `width` numbers from the k-th on."""
    return builder.bitcast(builder.gep(place, [k]), _vector(width).as_pointer())


def _load(builder, place, k, width):
    return builder.load(_lanes(builder, place, k, width), align=8)


def _pick(builder, vectors, places):
    """Shuffle the numbers at these places of one vector, or of two laid side by side."""
    one, other = vectors if len(vectors) == 2 else (vectors[0], ir.Constant(vectors[0].type, ir.Undefined))
    return builder.shuffle_vector(one, other, ir.Constant(_ints(len(places)), list(places)))


def _halved(builder, vector):
    """Add the upper half of the lanes to the lower one."""
    width = vector.type.count // 2
    halves = (_pick(builder, [vector], range(k, k + width)) for k in (0, width))
    return builder.fadd(*halves)


def _ints(width):
    return ir.VectorType(INT, width)


def _while_room(builder, k, count, width, body):
    """Call body(k) and go on by `width`, as long as that many of `count` are left."""
    head, inside, after = (builder.append_basic_block(name) for name in ("head", "inside", "after"))
    builder.branch(head)
    builder.position_at_end(head)
    here = builder.load(k)
    ahead = builder.add(here, ir.Constant(LONG, width))
    builder.cbranch(builder.icmp_unsigned("<=", ahead, count), inside, after)
    builder.position_at_end(inside)
    body(here)
    builder.store(ahead, k)
    builder.branch(head)
    builder.position_at_end(after)


def _chains(builder, rows, y, count):
    """Sum row[k] y[k] over k < count for every row, each as chains of 8, 4, 2 and 1 lanes."""
    k = cgutils.alloca_once_value(builder, ir.Constant(LONG, 0))

    def chain(width):
        totals = [
            cgutils.alloca_once_value(builder, ir.Constant(_vector(width), [0.0] * width)) for _ in rows
        ]

        def add(here):
            shared = _load(builder, y, here, width)
            for row, total in zip(rows, totals, strict=True):
                product = builder.fmul(_load(builder, row, here, width), shared)
                builder.store(builder.fadd(builder.load(total), product), total)

        return totals, add

    (first, add_first), (second, add_second) = chain(WIDTH), chain(WIDTH)

    def add_both(here):
        add_first(here)
        add_second(builder.add(here, ir.Constant(LONG, WIDTH)))

    _while_room(builder, k, count, 2 * WIDTH, add_both)
    _while_room(builder, k, count, WIDTH, add_first)
    sums = [[builder.fadd(builder.load(a), builder.load(b)) for a, b in zip(first, second, strict=True)]]
    for width in (4, 2, 1):
        totals, add = chain(width)
        _while_room(builder, k, count, width, add)
        sums.append([builder.load(total) for total in totals])
    return sums


def _plain_chain(products, width):
    """Add up the whole vectors of `width` that there are; returns the sums of the lanes and what is left."""
    whole = products.size - products.size % width
    return np.add.reduce(products[:whole].reshape(-1, width), axis=0, initial=0.0), products[whole:]


def _plain_dot(x, x_start, y, y_start, count):
    """`dot` in Python, to the bit."""
    products = x[x_start : x_start + count] * y[y_start : y_start + count]
    both, left = _plain_chain(products, 2 * WIDTH)
    first, second = both[:WIDTH], both[WIDTH:]
    if left.size >= WIDTH:
        first, left = first + left[:WIDTH], left[WIDTH:]
    total = first + second
    for width in (4, 2, 1):
        chain, left = _plain_chain(left, width)
        total = total[:width] + total[width:] + chain
    return total[0]


@intrinsic(_plain_dot)
def dot(context, x, x_start, y, y_start, count):
    """Sum x[x_start + k] y[y_start + k] over k < count; arguments are unsigned integers and floats.

    In sixteen chains, then one of each lane of four, two and one where as many are left.
    """

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        x = _place(context, builder, kinds[0], *arguments[:2])
        y = _place(context, builder, kinds[2], *arguments[2:4])
        eight, four, two, one = (row[0] for row in _chains(builder, [x], y, arguments[4]))
        total = builder.fadd(_halved(builder, eight), four)
        total = builder.fadd(_halved(builder, total), two)
        total = builder.fadd(_halved(builder, total), one)
        return builder.extract_element(total, ir.Constant(INT, 0))

    integer = types.uint64
    return types.float64(x, integer, y, integer, integer), generate


def _plain_dot_four(out, out_start, x, start, stride, y, count):
    for k in range(4):
        out[out_start + np.uint64(k)] = _plain_dot(x, start + np.uint64(k) * stride, y, np.uint64(0), count)


@intrinsic(_plain_dot_four)
def dot_four(context, out, out_start, x, start, stride, y, count):
    """`dot` of four rows, `stride` apart from x[start] on, with y, to the bit; to out[out_start] and on."""

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        out = _place(context, builder, kinds[0], *arguments[:2])
        rows = [_place(context, builder, kinds[2], *arguments[2:4])]
        for _ in range(3):
            rows.append(builder.gep(rows[-1], [arguments[4]]))
        y = _place(context, builder, kinds[5], arguments[5], ir.Constant(LONG, 0))
        eights, fours, twos, ones = _chains(builder, rows, y, arguments[6])
        a, b, c, d = (
            builder.fadd(_halved(builder, eight), four) for eight, four in zip(eights, fours, strict=True)
        )
        # Two rows share a vector of four from here on, then all of them.
        pairs = []
        for one, other, left in ((a, b, twos[:2]), (c, d, twos[2:])):
            lower, upper = (_pick(builder, [one, other], places) for places in ((0, 1, 4, 5), (2, 3, 6, 7)))
            pairs.append(builder.fadd(builder.fadd(lower, upper), _pick(builder, left, range(4))))
        lower, upper = (_pick(builder, pairs, places) for places in ((0, 2, 4, 6), (1, 3, 5, 7)))
        left = [_pick(builder, ones[:2], range(2)), _pick(builder, ones[2:], range(2))]
        total = builder.fadd(builder.fadd(lower, upper), _pick(builder, left, range(4)))
        builder.store(total, _lanes(builder, out, ir.Constant(LONG, 0), 4), align=8)
        return context.get_dummy_value()

    integer = types.uint64
    return types.void(out, integer, x, integer, integer, y, integer), generate


def _add(builder, out, rows, numbers, count):
    """out[k] += numbers[0] rows[0][k] + numbers[1] rows[1][k] + ..., added in this order, for k < count."""
    k = cgutils.alloca_once_value(builder, ir.Constant(LONG, 0))
    for width in (WIDTH, 4, 2, 1):
        nothing = ir.Constant(_vector(width), ir.Undefined)
        first = [builder.insert_element(nothing, number, ir.Constant(INT, 0)) for number in numbers]
        factors = [_pick(builder, [one], [0] * width) for one in first]

        def add(here, width=width, factors=factors):
            total = _load(builder, out, here, width)
            for row, factor in zip(rows, factors, strict=True):
                total = builder.fadd(total, builder.fmul(factor, _load(builder, row, here, width)))
            builder.store(total, _lanes(builder, out, here, width), align=8)

        _while_room(builder, k, count, width, add)


def _plain_add_one(out, x, start, count, a):
    out[:count] += a * x[start : start + count]


@intrinsic(_plain_add_one)
def add_one(context, out, x, start, count, a):
    """out[k] += a x[start + k] for k < count. `out` and `x` may not overlap."""

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        out = _place(context, builder, kinds[0], arguments[0], ir.Constant(LONG, 0))
        row = _place(context, builder, kinds[1], *arguments[1:3])
        _add(builder, out, [row], [arguments[4]], arguments[3])
        return context.get_dummy_value()

    return types.void(out, x, types.uint64, types.uint64, types.float64), generate


def _plain_add_four(out, x, start, stride, count, *factors):
    for k, factor in enumerate(factors):
        _plain_add_one(out, x, start + np.uint64(k) * stride, count, factor)


@intrinsic(_plain_add_four)
def add_four(context, out, x, start, stride, count, a, b, c, d):
    """out[k] += a x[start + k] + b x[start + stride + k] + c x[...] + d x[...] for k < count, in turn.

    `out` and `x` may not overlap.
    """

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        out = _place(context, builder, kinds[0], arguments[0], ir.Constant(LONG, 0))
        rows = [_place(context, builder, kinds[1], *arguments[1:3])]
        for _ in range(3):
            rows.append(builder.gep(rows[-1], [arguments[3]]))
        _add(builder, out, rows, arguments[5:9], arguments[4])
        return context.get_dummy_value()

    integer, number = types.uint64, types.float64
    return types.void(out, x, integer, integer, integer, number, number, number, number), generate
