// Floating point types of 16 bits, for half and bfloat16: E bits of exponent, M of mantissa.
#pragma once

#include <cmath>
#include <type_traits>

#include "../musa_runtime.h"

namespace ptx_check {

// A number of 16 bits. Every operation is exact in double, or marked as inexact there, and rounded once.
template <int E, int M> struct Narrow {
    unsigned short bits;

    Narrow() = default;
    Narrow(float x) : bits((unsigned short)narrow<E, M>(x)) {}
    Narrow(double x) : bits((unsigned short)narrow<E, M>(x)) {}
    template <class I, class = std::enable_if_t<std::is_integral<I>::value>>
    Narrow(I x) : bits((unsigned short)from_integer<E, M>(x, Round::nearest)) {}

    static Narrow of_bits(unsigned short bits) {
        Narrow x;
        x.bits = bits;
        return x;
    }
    static Narrow of(double x, Round mode = Round::nearest) { return of_bits((unsigned short)narrow<E, M>(x, mode)); }
    static Narrow nan() { return of_bits((unsigned short)nan_bits<E, M>()); }

    double value() const { return widen<E, M>(bits); }
    // A bfloat16 is the upper half of a float; NaN in half becomes the one of float.
    operator float() const { return E == 8 ? bit_cast<float>((unsigned)bits << 16) : to_float(value()); }
    bool is_nan() const { return (bits & 0x7fff) > (((1 << E) - 1) << M); }
    bool is_infinite() const { return (bits & 0x7fff) == (((1 << E) - 1) << M); }

    friend Narrow operator+(Narrow a, Narrow b) { return of(add(a.value(), b.value(), Round::nearest)); }
    friend Narrow operator-(Narrow a, Narrow b) { return of(add(a.value(), -b.value(), Round::nearest)); }
    friend Narrow operator*(Narrow a, Narrow b) { return of(a.value() * b.value()); }
    friend Narrow operator/(Narrow a, Narrow b) { return of(divide(a.value(), b.value())); }
    friend Narrow operator-(Narrow a) { return of_bits(a.bits ^ 0x8000); }
    friend Narrow operator+(Narrow a) { return a; }
    friend bool operator==(Narrow a, Narrow b) { return a.value() == b.value(); }
    friend bool operator!=(Narrow a, Narrow b) { return a.value() != b.value(); }
    friend bool operator<(Narrow a, Narrow b) { return a.value() < b.value(); }
    friend bool operator>(Narrow a, Narrow b) { return a.value() > b.value(); }
    friend bool operator<=(Narrow a, Narrow b) { return a.value() <= b.value(); }
    friend bool operator>=(Narrow a, Narrow b) { return a.value() >= b.value(); }
    Narrow &operator+=(Narrow b) { return *this = *this + b; }
    Narrow &operator-=(Narrow b) { return *this = *this - b; }
    Narrow &operator*=(Narrow b) { return *this = *this * b; }
    Narrow &operator/=(Narrow b) { return *this = *this / b; }
};

template <int E, int M> struct alignas(4) NarrowPair {
    using Part = Narrow<E, M>;
    Part x, y;

    NarrowPair() = default;
    NarrowPair(Part x, Part y) : x(x), y(y) {}

    friend NarrowPair operator+(NarrowPair a, NarrowPair b) { return {a.x + b.x, a.y + b.y}; }
    friend NarrowPair operator-(NarrowPair a, NarrowPair b) { return {a.x - b.x, a.y - b.y}; }
    friend NarrowPair operator*(NarrowPair a, NarrowPair b) { return {a.x * b.x, a.y * b.y}; }
    friend NarrowPair operator/(NarrowPair a, NarrowPair b) { return {a.x / b.x, a.y / b.y}; }
    friend NarrowPair operator-(NarrowPair a) { return {-a.x, -a.y}; }
    friend bool operator==(NarrowPair a, NarrowPair b) { return a.x == b.x && a.y == b.y; }
};

template <int E, int M> inline Narrow<E, M> multiply_add(Narrow<E, M> a, Narrow<E, M> b, Narrow<E, M> c) {
    return Narrow<E, M>::of(add(a.value() * b.value(), c.value(), Round::nearest));
}
// The result of an operation with `.sat`, and of one with `.relu`: -0 becomes +0.
template <int E, int M> inline Narrow<E, M> saturated(Narrow<E, M> x) { return Narrow<E, M>::of(saturate(x.value())); }
template <int E, int M> inline Narrow<E, M> relu(Narrow<E, M> x) {
    return x.is_nan() ? Narrow<E, M>::nan() : x.value() > 0 ? x : Narrow<E, M>::of_bits(0);
}
// The smaller or larger of two; one NaN counts only where `spreads`.
template <int E, int M> inline Narrow<E, M> extreme(Narrow<E, M> a, Narrow<E, M> b, bool larger_one, bool spreads) {
    const bool any = a.is_nan() || b.is_nan();
    if ((a.is_nan() && b.is_nan()) || (any && spreads))
        return Narrow<E, M>::nan();
    return Narrow<E, M>::of(larger_one ? larger(a.value(), b.value()) : smaller(a.value(), b.value()));
}

} // namespace ptx_check

#define PTX_CHECK_NARROW template <int E, int M>
#define PTX_CHECK_ONE ptx_check::Narrow<E, M>
#define PTX_CHECK_TWO ptx_check::NarrowPair<E, M>

// A function of one or two numbers, and the same for each part of a pair.
#define PTX_CHECK_UNARY(NAME, PAIR, VALUE)                                                                             \
    PTX_CHECK_NARROW inline PTX_CHECK_ONE NAME(PTX_CHECK_ONE a) { return VALUE; }                                      \
    PTX_CHECK_NARROW inline PTX_CHECK_TWO PAIR(PTX_CHECK_TWO a) { return {NAME(a.x), NAME(a.y)}; }
#define PTX_CHECK_BINARY(NAME, PAIR, VALUE)                                                                            \
    PTX_CHECK_NARROW inline PTX_CHECK_ONE NAME(PTX_CHECK_ONE a, PTX_CHECK_ONE b) { return VALUE; }                     \
    PTX_CHECK_NARROW inline PTX_CHECK_TWO PAIR(PTX_CHECK_TWO a, PTX_CHECK_TWO b) {                                     \
        return {NAME(a.x, b.x), NAME(a.y, b.y)};                                                                       \
    }
#define PTX_CHECK_TERNARY(NAME, PAIR, VALUE)                                                                           \
    PTX_CHECK_NARROW inline PTX_CHECK_ONE NAME(PTX_CHECK_ONE a, PTX_CHECK_ONE b, PTX_CHECK_ONE c) { return VALUE; }    \
    PTX_CHECK_NARROW inline PTX_CHECK_TWO PAIR(PTX_CHECK_TWO a, PTX_CHECK_TWO b, PTX_CHECK_TWO c) {                    \
        return {NAME(a.x, b.x, c.x), NAME(a.y, b.y, c.y)};                                                             \
    }

PTX_CHECK_BINARY(__hadd, __hadd2, a + b)
PTX_CHECK_BINARY(__hsub, __hsub2, a - b)
PTX_CHECK_BINARY(__hmul, __hmul2, a *b)
PTX_CHECK_BINARY(__hdiv, __h2div, a / b)
PTX_CHECK_BINARY(__hadd_rn, __hadd2_rn, a + b)
PTX_CHECK_BINARY(__hsub_rn, __hsub2_rn, a - b)
PTX_CHECK_BINARY(__hmul_rn, __hmul2_rn, a *b)
PTX_CHECK_BINARY(__hadd_sat, __hadd2_sat, ptx_check::saturated(a + b))
PTX_CHECK_BINARY(__hsub_sat, __hsub2_sat, ptx_check::saturated(a - b))
PTX_CHECK_BINARY(__hmul_sat, __hmul2_sat, ptx_check::saturated(a *b))
PTX_CHECK_TERNARY(__hfma, __hfma2, ptx_check::multiply_add(a, b, c))
PTX_CHECK_TERNARY(__hfma_sat, __hfma2_sat, ptx_check::saturated(ptx_check::multiply_add(a, b, c)))
PTX_CHECK_TERNARY(__hfma_relu, __hfma2_relu, ptx_check::relu(ptx_check::multiply_add(a, b, c)))
PTX_CHECK_BINARY(__hmin, __hmin2, ptx_check::extreme(a, b, false, false))
PTX_CHECK_BINARY(__hmax, __hmax2, ptx_check::extreme(a, b, true, false))
PTX_CHECK_BINARY(__hmin_nan, __hmin2_nan, ptx_check::extreme(a, b, false, true))
PTX_CHECK_BINARY(__hmax_nan, __hmax2_nan, ptx_check::extreme(a, b, true, true))
PTX_CHECK_UNARY(__hneg, __hneg2, -a)
PTX_CHECK_UNARY(__habs, __habs2, PTX_CHECK_ONE::of_bits(a.bits & 0x7fff))

PTX_CHECK_UNARY(hsqrt, h2sqrt, PTX_CHECK_ONE::of(ptx_check::square_root(a.value())))
PTX_CHECK_UNARY(hrsqrt, h2rsqrt, PTX_CHECK_ONE::of(1 / std::sqrt(a.value())))
PTX_CHECK_UNARY(hrcp, h2rcp, PTX_CHECK_ONE::of(ptx_check::divide(1, a.value())))
PTX_CHECK_UNARY(hexp, h2exp, PTX_CHECK_ONE::of(std::exp(a.value())))
PTX_CHECK_UNARY(hexp2, h2exp2, PTX_CHECK_ONE::of(std::exp2(a.value())))
PTX_CHECK_UNARY(hexp10, h2exp10, PTX_CHECK_ONE::of(std::pow(10.0, a.value())))
PTX_CHECK_UNARY(hlog, h2log, PTX_CHECK_ONE::of(std::log(a.value())))
PTX_CHECK_UNARY(hlog2, h2log2, PTX_CHECK_ONE::of(std::log2(a.value())))
PTX_CHECK_UNARY(hlog10, h2log10, PTX_CHECK_ONE::of(std::log10(a.value())))
PTX_CHECK_UNARY(hsin, h2sin, PTX_CHECK_ONE::of(std::sin(a.value())))
PTX_CHECK_UNARY(hcos, h2cos, PTX_CHECK_ONE::of(std::cos(a.value())))
PTX_CHECK_UNARY(htanh, h2tanh, PTX_CHECK_ONE::of(std::tanh(a.value())))
PTX_CHECK_UNARY(htanh_approx, h2tanh_approx, PTX_CHECK_ONE::of(std::tanh(a.value())))
PTX_CHECK_UNARY(hfloor, h2floor, PTX_CHECK_ONE::of(std::floor(a.value())))
PTX_CHECK_UNARY(hceil, h2ceil, PTX_CHECK_ONE::of(std::ceil(a.value())))
PTX_CHECK_UNARY(htrunc, h2trunc, PTX_CHECK_ONE::of(std::trunc(a.value())))
PTX_CHECK_UNARY(hrint, h2rint, PTX_CHECK_ONE::of(std::nearbyint(a.value())))

// A comparison of two numbers; of pairs by part as 1.0 and 0.0, as masks, or of both parts together. In the ones whose
// name has a `u`, NaN makes it true.
#define PTX_CHECK_COMPARISON(NAME, HOLDS)                                                                              \
    PTX_CHECK_NARROW inline bool __h##NAME(PTX_CHECK_ONE one, PTX_CHECK_ONE other) {                                   \
        const double a = one.value(), b = other.value();                                                               \
        return HOLDS;                                                                                                  \
    }                                                                                                                  \
    PTX_CHECK_NARROW inline PTX_CHECK_TWO __h##NAME##2(PTX_CHECK_TWO a, PTX_CHECK_TWO b) {                             \
        return {PTX_CHECK_ONE::of(__h##NAME(a.x, b.x)), PTX_CHECK_ONE::of(__h##NAME(a.y, b.y))};                       \
    }                                                                                                                  \
    PTX_CHECK_NARROW inline unsigned __h##NAME##2_mask(PTX_CHECK_TWO a, PTX_CHECK_TWO b) {                             \
        return (__h##NAME(a.x, b.x) ? 0xffffu : 0u) | (__h##NAME(a.y, b.y) ? 0xffff0000u : 0u);                        \
    }                                                                                                                  \
    PTX_CHECK_NARROW inline bool __hb##NAME##2(PTX_CHECK_TWO a, PTX_CHECK_TWO b) {                                     \
        return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y);                                                             \
    }

PTX_CHECK_COMPARISON(eq, a == b)
PTX_CHECK_COMPARISON(ne, a < b || a > b)
PTX_CHECK_COMPARISON(lt, a < b)
PTX_CHECK_COMPARISON(le, a <= b)
PTX_CHECK_COMPARISON(gt, a > b)
PTX_CHECK_COMPARISON(ge, a >= b)
PTX_CHECK_COMPARISON(equ, !(a < b || a > b))
PTX_CHECK_COMPARISON(neu, a != b)
PTX_CHECK_COMPARISON(ltu, !(a >= b))
PTX_CHECK_COMPARISON(leu, !(a > b))
PTX_CHECK_COMPARISON(gtu, !(a <= b))
PTX_CHECK_COMPARISON(geu, !(a < b))

PTX_CHECK_NARROW inline bool __hisnan(PTX_CHECK_ONE a) { return a.is_nan(); }
PTX_CHECK_NARROW inline int __hisinf(PTX_CHECK_ONE a) { return a.is_infinite() ? (a.bits >> 15 ? -1 : 1) : 0; }

// The parts of pairs.
PTX_CHECK_NARROW inline float __low2float(PTX_CHECK_TWO a) { return a.x; }
PTX_CHECK_NARROW inline float __high2float(PTX_CHECK_TWO a) { return a.y; }

// Additions to memory.
PTX_CHECK_NARROW inline PTX_CHECK_ONE atomicAdd(PTX_CHECK_ONE *address, PTX_CHECK_ONE value) {
    return ptx_check::update<unsigned short>(address, [value](PTX_CHECK_ONE old) { return old + value; });
}
PTX_CHECK_NARROW inline PTX_CHECK_TWO atomicAdd(PTX_CHECK_TWO *address, PTX_CHECK_TWO value) {
    return ptx_check::update<unsigned>(address, [value](PTX_CHECK_TWO old) { return old + value; });
}

#undef PTX_CHECK_UNARY
#undef PTX_CHECK_BINARY
#undef PTX_CHECK_TERNARY
#undef PTX_CHECK_COMPARISON
#undef PTX_CHECK_NARROW
#undef PTX_CHECK_ONE
#undef PTX_CHECK_TWO

// The conversions whose names have the name of the type in them, for one integer type and all.
#define PTX_CHECK_NARROW_INTEGER(T, NAME, INTEGER, SHORT, SUFFIX, MODE)                                                \
    inline INTEGER __##NAME##2##SHORT##_##SUFFIX(T x) { return ptx_check::to_integer<INTEGER>(x.value(), MODE); }      \
    inline T __##SHORT##2##NAME##_##SUFFIX(INTEGER x) {                                                                \
        constexpr int M = sizeof(T) == 2 && #NAME[0] == 'h' ? 10 : 7;                                                  \
        return T::of_bits((unsigned short)ptx_check::from_integer<15 - M, M>(x, MODE));                                \
    }
#define PTX_CHECK_NARROW_MODE(T, NAME, SUFFIX, MODE)                                                                   \
    PTX_CHECK_NARROW_INTEGER(T, NAME, short, short, SUFFIX, MODE)                                                      \
    PTX_CHECK_NARROW_INTEGER(T, NAME, unsigned short, ushort, SUFFIX, MODE)                                            \
    PTX_CHECK_NARROW_INTEGER(T, NAME, int, int, SUFFIX, MODE)                                                          \
    PTX_CHECK_NARROW_INTEGER(T, NAME, unsigned, uint, SUFFIX, MODE)                                                    \
    PTX_CHECK_NARROW_INTEGER(T, NAME, long long, ll, SUFFIX, MODE)                                                     \
    PTX_CHECK_NARROW_INTEGER(T, NAME, unsigned long long, ull, SUFFIX, MODE)                                           \
    inline T __float2##NAME##_##SUFFIX(float x) { return T::of(x, MODE); }
#define PTX_CHECK_NARROW_TYPE(T, NAME)                                                                                 \
    PTX_CHECK_NARROW_MODE(T, NAME, rn, ptx_check::Round::nearest)                                                      \
    PTX_CHECK_NARROW_MODE(T, NAME, rz, ptx_check::Round::zero)                                                         \
    PTX_CHECK_NARROW_MODE(T, NAME, rd, ptx_check::Round::down)                                                         \
    PTX_CHECK_NARROW_MODE(T, NAME, ru, ptx_check::Round::up)                                                           \
    inline signed char __##NAME##2char_rz(T x) {                                                                       \
        return ptx_check::to_integer<signed char>(x.value(), ptx_check::Round::zero);                                  \
    }                                                                                                                  \
    inline unsigned char __##NAME##2uchar_rz(T x) {                                                                    \
        return ptx_check::to_integer<unsigned char>(x.value(), ptx_check::Round::zero);                                \
    }                                                                                                                  \
    inline float __##NAME##2float(T x) { return x; }                                                                   \
    inline T __float2##NAME(float x) { return T::of(x); }                                                              \
    inline T __double2##NAME(double x) { return T::of(x); }                                                            \
    inline unsigned short __##NAME##_as_ushort(T x) { return x.bits; }                                                 \
    inline short __##NAME##_as_short(T x) { return (short)x.bits; }                                                    \
    inline T __ushort_as_##NAME(unsigned short x) { return T::of_bits(x); }                                            \
    inline T __short_as_##NAME(short x) { return T::of_bits((unsigned short)x); }

// The functions of pairs whose names have the name of the type in them.
#define PTX_CHECK_NARROW_PAIR(T, PAIR, NAME)                                                                           \
    inline PAIR __floats2##NAME##2_rn(float x, float y) { return {T::of(x), T::of(y)}; }                               \
    inline PAIR __float22##NAME##2_rn(float2 x) { return {T::of(x.x), T::of(x.y)}; }                                   \
    inline PAIR __float2##NAME##2_rn(float x) { return {T::of(x), T::of(x)}; }                                         \
    inline float2 __##NAME##22float2(PAIR x) { return {x.x, x.y}; }                                                    \
    inline PAIR __##NAME##2##NAME##2(T x) { return {x, x}; }                                                           \
    inline PAIR __halves2##NAME##2(T x, T y) { return {x, y}; }                                                        \
    inline T __low2##NAME(PAIR x) { return x.x; }                                                                      \
    inline T __high2##NAME(PAIR x) { return x.y; }                                                                     \
    inline PAIR __low2##NAME##2(PAIR x) { return {x.x, x.x}; }                                                         \
    inline PAIR __high2##NAME##2(PAIR x) { return {x.y, x.y}; }                                                        \
    inline PAIR __lows2##NAME##2(PAIR a, PAIR b) { return {a.x, b.x}; }                                                \
    inline PAIR __highs2##NAME##2(PAIR a, PAIR b) { return {a.y, b.y}; }
