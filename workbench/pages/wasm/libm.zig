//! The functions of the libm that musl's C does not offer here; exp and log come with the compiler.

const math = @import("std").math;

export fn log1p(x: f64) f64 {
    return math.log1p(x);
}
