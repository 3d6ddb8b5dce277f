/* What printed functions need beside themselves: memory, which numba counts, and two parts of floats. */

#include <stddef.h>
#include <stdint.h>

#include "exp_data.h"

extern unsigned char __heap_base;

/* Free pieces lie in the order of their addresses; a size counts its header of sixteen bytes. */
typedef struct Piece {
    size_t size;
    struct Piece *next;
    size_t unused[2];
} Piece;

static Piece *free_pieces = 0;
static size_t top = 0;

static void *grown(size_t size) {
    if (!top) top = ((size_t)&__heap_base + 15) & ~(size_t)15;
    size_t there = __builtin_wasm_memory_size(0) << 16;
    if (size > ((size_t)-1) - top) return 0;
    if (top + size > there) {
        size_t pages = (top + size - there + 65535) >> 16;
        if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return 0;
    }
    Piece *piece = (Piece *)top;
    top += size;
    piece->size = size;
    return piece + 1;
}

void *allocate(size_t bytes) {
    size_t size = ((bytes + 15) & ~(size_t)15) + sizeof(Piece);
    if (size < bytes) return 0;
    for (Piece **place = &free_pieces; *place; place = &(*place)->next) {
        Piece *piece = *place;
        if (piece->size < size) continue;
        if (piece->size >= size + 2 * sizeof(Piece)) {
            Piece *rest = (Piece *)((char *)piece + size);
            rest->size = piece->size - size;
            rest->next = piece->next;
            piece->size = size;
            *place = rest;
        } else {
            *place = piece->next;
        }
        return piece + 1;
    }
    return grown(size);
}

void release(void *memory) {
    if (!memory) return;
    Piece *piece = (Piece *)memory - 1, *before = 0, *after = free_pieces;
    while (after && after < piece) before = after, after = after->next;
    piece->next = after;
    if (after && (char *)piece + piece->size == (char *)after) {
        piece->size += after->size;
        piece->next = after->next;
    }
    if (before && (char *)before + before->size == (char *)piece) {
        before->size += piece->size;
        before->next = piece->next;
    } else if (before) {
        before->next = piece;
    } else {
        free_pieces = piece;
    }
}

/* numba's header of an array's memory, with the 64-bit integers of the machine that the code was made on. */
typedef struct {
    int64_t references;
    void *destroy, *destroy_with, *data;
    int64_t size;
    void *allocator;
} MemInfo;

void *NRT_MemInfo_alloc_aligned(int64_t size, uint32_t align) {
    if (size < 0 || size > 0x7fffffff) return 0;
    MemInfo *info = allocate(sizeof(MemInfo) + (size_t)size + align);
    if (!info) return 0;
    size_t data = (size_t)(info + 1);
    info->references = 1;
    info->destroy = info->destroy_with = info->allocator = 0;
    info->data = (void *)(align ? (data + align - 1) / align * align : data);
    info->size = size;
    return info;
}

void *NRT_MemInfo_alloc(int64_t size) { return NRT_MemInfo_alloc_aligned(size, 16); }

void NRT_MemInfo_call_dtor(void *info) { release(info); }

void *NRT_Allocate(int64_t size) { return size < 0 || size > 0x7fffffff ? 0 : allocate((size_t)size); }

void NRT_Free(void *memory) { release(memory); }

/* 1 and the new strides where an array lies in one piece, as all arrays of printed functions do; else 0. */
int32_t numba_attempt_nocopy_reshape(
    int64_t rank, const int64_t *shape, const int64_t *strides, int64_t new_rank, const int64_t *new_shape,
    int64_t *new_strides, int64_t item, int32_t by_columns) {
    int64_t stride = item;
    for (int64_t k = rank - 1; k >= 0; stride *= shape[k], k--)
        if (shape[k] != 1 && strides[k] != stride) return 0;
    if (by_columns) return 0;
    stride = item;
    for (int64_t k = new_rank - 1; k >= 0; stride *= new_shape[k], k--) new_strides[k] = stride;
    return 1;
}

/* e^x = 2^(k / 128) e^r with |r| at most ln 2 / 256, by the table and the polynomial that pow brings: losses ask
   for little else, and the one that comes with the compiler divides. */
double exp(double x) {
    union { double value; uint64_t bits; } whole, scale, tail;
    if (!(x > -708.0 && x < 708.0)) {
        if (x > 709.79) return __builtin_inf();
        if (x < -745.14) return 0.0;
        double half = x == x ? exp(0.5 * x) : x;
        return half * half;
    }
    const double *poly = __exp_data.poly + 5 - EXP_POLY_ORDER;
    whole.value = x * __exp_data.invln2N + __exp_data.shift;
    double k = whole.value - __exp_data.shift;
    double r = (x + k * __exp_data.negln2hiN) + k * __exp_data.negln2loN, square = r * r;
    const uint64_t *row = __exp_data.tab + 2 * (whole.bits % (1 << EXP_TABLE_BITS));
    tail.bits = row[0];
    scale.bits = row[1] + (whole.bits << (52 - EXP_TABLE_BITS));
    double rest = tail.value + r + square * (poly[0] + r * poly[1]);
    rest += square * square * (poly[2] + r * poly[3]);
    return scale.value + scale.value * rest;
}

double scalbn(double, int);

double numba_ldexp(double x, int32_t exponent) { return scalbn(x, exponent); }

double numba_frexp(double x, int32_t *exponent) {
    union { double value; uint64_t bits; } number = {x};
    int size = number.bits >> 52 & 0x7ff;
    if (size == 0x7ff || x == 0.0) {
        *exponent = 0;
        return x;
    }
    if (size == 0) {
        x = numba_frexp(x * 0x1p64, exponent);
        *exponent -= 64;
        return x;
    }
    *exponent = size - 1022;
    number.bits = (number.bits & ~(UINT64_C(0x7ff) << 52)) | UINT64_C(1022) << 52;
    return number.value;
}
