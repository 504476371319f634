// Binary floating point formats of any width, and rounding: what float, half, bfloat16 and fp8 rest on.
#pragma once

#include <cmath>
#include <cstdint>

#include "bits.h"

namespace ptx_check {

enum class Round { nearest, zero, down, up, away };

// Whether a magnitude is rounded up. `rest` is what is cut off, as a part of `unit`.
inline bool rounds_up(Round mode, bool negative, bool odd, uint64_t rest, uint64_t half) {
    switch (mode) {
    case Round::nearest:
        return rest > half || (rest == half && odd);
    case Round::away:
        return rest >= half;
    case Round::down:
        return negative && rest != 0;
    case Round::up:
        return !negative && rest != 0;
    default:
        return false;
    }
}

// The bits of `magnitude * 2^exponent` in the format with E bits of exponent and M bits of mantissa, as IEEE has it:
// the largest exponent stands for infinity and NaN.
template <int E, int M>
inline uint64_t pack(bool negative, uint64_t magnitude, int exponent, Round mode = Round::nearest) {
    const uint64_t sign = (uint64_t)negative << (E + M);
    const uint64_t infinity = (((uint64_t)1 << E) - 1) << M;
    if (magnitude == 0)
        return sign;
    const int zeros = __builtin_clzll(magnitude);
    magnitude <<= zeros;
    // The value is now 1.… * 2^top.
    const int top = exponent + 63 - zeros;
    const int smallest = 2 - (1 << (E - 1));
    int cut = 63 - M;
    if (top < smallest)
        cut += smallest - top;
    uint64_t kept, rest, half;
    if (cut < 64) {
        kept = magnitude >> cut;
        rest = magnitude & (((uint64_t)1 << cut) - 1);
        half = (uint64_t)1 << (cut - 1);
    } else if (cut == 64) {
        kept = 0;
        rest = magnitude;
        half = (uint64_t)1 << 63;
    } else {
        kept = 0;
        rest = 1;
        half = 2;
    }
    uint64_t bits = kept;
    if (top >= smallest) {
        if (top - smallest >= (1 << E))
            bits = infinity + 1;
        else
            bits += (uint64_t)(top - smallest) << M;
    }
    if (bits < infinity && rounds_up(mode, negative, kept & 1, rest, half))
        ++bits;
    if (bits >= infinity) {
        const bool inward = mode == Round::zero || (mode == Round::down && !negative) || (mode == Round::up && negative);
        bits = inward ? infinity - 1 : infinity;
    }
    return sign | bits;
}

// The one NaN that arithmetic on the device yields.
template <int E, int M> constexpr uint64_t nan_bits() { return ((uint64_t)1 << (E + M)) - 1; }

// The bits of a double in another format.
template <int E, int M> inline uint64_t narrow(double x, Round mode = Round::nearest) {
    const uint64_t bits = bit_cast<uint64_t>(x);
    const bool negative = bits >> 63;
    const int exponent = int(bits >> 52 & 0x7ff);
    const uint64_t mantissa = bits & (((uint64_t)1 << 52) - 1);
    if (exponent == 0x7ff) {
        if (mantissa != 0)
            return nan_bits<E, M>();
        return (uint64_t)negative << (E + M) | (((uint64_t)1 << E) - 1) << M;
    }
    if (exponent == 0)
        return pack<E, M>(negative, mantissa, -1074, mode);
    return pack<E, M>(negative, mantissa | (uint64_t)1 << 52, exponent - 1075, mode);
}

// The value of bits in a format: exact.
template <int E, int M> inline double widen(uint64_t bits) {
    const bool negative = bits >> (E + M) & 1;
    const int exponent = int(bits >> M & (((uint64_t)1 << E) - 1));
    const uint64_t mantissa = bits & (((uint64_t)1 << M) - 1);
    const int bias = (1 << (E - 1)) - 1;
    double value;
    if (exponent == (1 << E) - 1)
        value = mantissa == 0 ? HUGE_VAL : __builtin_nan("");
    else if (exponent == 0)
        value = std::ldexp((double)mantissa, 1 - bias - M);
    else
        value = std::ldexp((double)(mantissa | (uint64_t)1 << M), exponent - bias - M);
    return negative ? -value : value;
}

inline float to_float(double x, Round mode = Round::nearest) {
    return bit_cast<float>((uint32_t)narrow<8, 23>(x, mode));
}

// A result in double whose last bit says that it is not exact: rounded again to fewer bits, by any mode, it comes out as
// the exact result would. `error` is the exact result less `rounded`.
inline double odd(double rounded, double error) {
    uint64_t bits = bit_cast<uint64_t>(rounded);
    if (error == 0 || !std::isfinite(rounded) || (bits & 1))
        return rounded;
    bits += std::signbit(error) == std::signbit(rounded) ? 1 : -1;
    return bit_cast<double>(bits);
}

// A sum of doubles for rounding again; zero has the sign that the mode gives it.
inline double add(double a, double b, Round mode) {
    const double sum = a + b;
    if (sum == 0)
        return a == 0 && b == 0 && std::signbit(a) == std::signbit(b) ? a : mode == Round::down ? -0.0 : 0.0;
    if (!std::isfinite(sum))
        return sum;
    const double part = sum - a;
    return odd(sum, (a - (sum - part)) + (b - part));
}
inline double divide(double a, double b) {
    const double quotient = a / b;
    if (!std::isfinite(quotient) || !std::isfinite(b) || b == 0)
        return quotient;
    const double rest = std::fma(-quotient, b, a);
    return odd(quotient, b < 0 ? -rest : rest);
}
inline double square_root(double x) {
    const double root = std::sqrt(x);
    return std::isfinite(root) && root != 0 ? odd(root, std::fma(-root, root, x)) : root;
}

// The smaller and the larger number: one NaN gives the other operand, and -0 is less than +0.
template <class T> inline T smaller(T a, T b) {
    if (a != a || b != b)
        return a != a ? b : a;
    return a < b || (a == b && std::signbit(a)) ? a : b;
}
template <class T> inline T larger(T a, T b) {
    if (a != a || b != b)
        return a != a ? b : a;
    return a > b || (a == b && !std::signbit(a)) ? a : b;
}

// Between 0 and 1; NaN becomes +0.
inline double saturate(double x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

} // namespace ptx_check
