// Functions of C's library as the device has them: with its NaN, and its order of zeroes. A program takes these for the
// library's, where the compiler may not put in its own.

#include "ptx_check/conversions.h"
#include "ptx_check/floats.h"

#define PTX_CHECK_WHOLE(NAME, MODE)                                                                                    \
    extern "C" float NAME(float x) { return ptx_check::to_float(ptx_check::to_integral(x, ptx_check::Round::MODE)); }

PTX_CHECK_WHOLE(rintf, nearest)
PTX_CHECK_WHOLE(nearbyintf, nearest)
PTX_CHECK_WHOLE(truncf, zero)
PTX_CHECK_WHOLE(floorf, down)
PTX_CHECK_WHOLE(ceilf, up)
extern "C" float sqrtf(float x) { return __fsqrt_rn(x); }
extern "C" float fmaf(float a, float b, float c) { return __fmaf_rn(a, b, c); }

#define PTX_CHECK_ORDER(NAME, T, WHICH, NAN)                                                                           \
    extern "C" T NAME(T a, T b) { return a != a && b != b ? NAN : ptx_check::WHICH(a, b); }

PTX_CHECK_ORDER(fminf, float, smaller, ptx_check::bit_cast<float>(0x7fffffffu))
PTX_CHECK_ORDER(fmaxf, float, larger, ptx_check::bit_cast<float>(0x7fffffffu))
PTX_CHECK_ORDER(fmin, double, smaller, a)
PTX_CHECK_ORDER(fmax, double, larger, a)
