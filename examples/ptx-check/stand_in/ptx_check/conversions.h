// Conversions between numbers, with the rounding, saturation and NaN of PTX's cvt.
#pragma once

#include <cmath>
#include <limits>

#include "formats.h"

namespace ptx_check {

inline double to_integral(double x, Round mode) {
    switch (mode) {
    case Round::nearest:
        return std::nearbyint(x);
    case Round::zero:
        return std::trunc(x);
    case Round::down:
        return std::floor(x);
    case Round::up:
        return std::ceil(x);
    default:
        return std::round(x);
    }
}

// A number as an integer. NaN is 0, but where either side has 64 bits it is the integer with the highest bit alone.
template <class Integer> inline Integer to_integer(double x, Round mode, bool is_double = false) {
    using Limits = std::numeric_limits<Integer>;
    if (x != x) {
        const bool wide = is_double || sizeof(Integer) == 8;
        return wide ? (Integer)((Integer)1 << (8 * sizeof(Integer) - 1)) : (Integer)0;
    }
    const double whole = to_integral(x, mode);
    // The least integer is exact in double; so is the one above the largest.
    if (whole < (double)Limits::min())
        return Limits::min();
    if (whole >= std::ldexp(1.0, Limits::digits))
        return Limits::max();
    return (Integer)whole;
}

// The bits of an integer in a format.
template <int E, int M, class Integer> inline unsigned long long from_integer(Integer x, Round mode) {
    const bool negative = x < 0;
    const unsigned long long magnitude = negative ? 0 - (unsigned long long)x : (unsigned long long)x;
    return pack<E, M>(negative, magnitude, 0, mode);
}

} // namespace ptx_check

#define PTX_CHECK_INTEGER(TYPE, NAME, SUFFIX, MODE)                                                                    \
    inline TYPE __float2##NAME##_##SUFFIX(float x) { return ptx_check::to_integer<TYPE>(x, MODE); }                    \
    inline TYPE __double2##NAME##_##SUFFIX(double x) { return ptx_check::to_integer<TYPE>(x, MODE, true); }            \
    inline float __##NAME##2float_##SUFFIX(TYPE x) {                                                                   \
        return ptx_check::bit_cast<float>((unsigned)ptx_check::from_integer<8, 23>(x, MODE));                          \
    }                                                                                                                  \
    inline double __##NAME##2double_##SUFFIX(TYPE x) {                                                                 \
        return ptx_check::bit_cast<double>(ptx_check::from_integer<11, 52>(x, MODE));                                  \
    }

#define PTX_CHECK_INTEGERS(SUFFIX, MODE)                                                                               \
    PTX_CHECK_INTEGER(int, int, SUFFIX, MODE)                                                                          \
    PTX_CHECK_INTEGER(unsigned, uint, SUFFIX, MODE)                                                                    \
    PTX_CHECK_INTEGER(long long, ll, SUFFIX, MODE)                                                                     \
    PTX_CHECK_INTEGER(unsigned long long, ull, SUFFIX, MODE)                                                           \
    inline float __double2float_##SUFFIX(double x) { return ptx_check::to_float(x, MODE); }

PTX_CHECK_INTEGERS(rn, ptx_check::Round::nearest)
PTX_CHECK_INTEGERS(rz, ptx_check::Round::zero)
PTX_CHECK_INTEGERS(rd, ptx_check::Round::down)
PTX_CHECK_INTEGERS(ru, ptx_check::Round::up)

#undef PTX_CHECK_INTEGERS
#undef PTX_CHECK_INTEGER

// MUSA's own conversions to bytes.
inline signed char __float2char_rn_sat(float x) {
    return ptx_check::to_integer<signed char>(x, ptx_check::Round::nearest);
}
inline signed char __float2char_rz_sat(float x) {
    return ptx_check::to_integer<signed char>(x, ptx_check::Round::zero);
}
inline unsigned char __musa_f2uc_rn_sat(float x) {
    return ptx_check::to_integer<unsigned char>(x, ptx_check::Round::nearest);
}
inline unsigned char __musa_f2uc_rz_sat(float x) {
    return ptx_check::to_integer<unsigned char>(x, ptx_check::Round::zero);
}

// The 19 bits of tf32, with ties away from zero as in cvt.rna.tf32.f32.
inline float __musa_float_to_tf32(float x) {
    const unsigned bits = (unsigned)ptx_check::narrow<8, 10>(x, ptx_check::Round::away);
    return ptx_check::bit_cast<float>(x != x ? 0x7fffffffu : bits << 13);
}
