// Arithmetic with a rounding mode in float and double, and minima and maxima.
#pragma once

#include <cmath>

#include "formats.h"

namespace ptx_check {

// Arithmetic in double with a rounding mode; rounding.cpp sets the mode of the machine.
enum class Double { add, subtract, multiply, divide, fma, square_root };
double calculate(Double what, Round mode, double a, double b = 0, double c = 0);

} // namespace ptx_check

#define PTX_CHECK_ROUNDED(SUFFIX, MODE)                                                                                \
    inline float __fadd_##SUFFIX(float a, float b) {                                                                   \
        return ptx_check::to_float(ptx_check::add(a, b, MODE), MODE);                                                  \
    }                                                                                                                  \
    inline float __fsub_##SUFFIX(float a, float b) {                                                                   \
        return ptx_check::to_float(ptx_check::add(a, -(double)b, MODE), MODE);                                         \
    }                                                                                                                  \
    inline float __fmul_##SUFFIX(float a, float b) { return ptx_check::to_float((double)a * b, MODE); }                \
    inline float __fmaf_##SUFFIX(float a, float b, float c) {                                                          \
        return ptx_check::to_float(ptx_check::add((double)a * b, c, MODE), MODE);                                      \
    }                                                                                                                  \
    inline float __fdiv_##SUFFIX(float a, float b) { return ptx_check::to_float(ptx_check::divide(a, b), MODE); }      \
    inline float __frcp_##SUFFIX(float a) { return ptx_check::to_float(ptx_check::divide(1, a), MODE); }               \
    inline float __fsqrt_##SUFFIX(float a) { return ptx_check::to_float(ptx_check::square_root(a), MODE); }            \
    inline double __dadd_##SUFFIX(double a, double b) {                                                                \
        return ptx_check::calculate(ptx_check::Double::add, MODE, a, b);                                               \
    }                                                                                                                  \
    inline double __dsub_##SUFFIX(double a, double b) {                                                                \
        return ptx_check::calculate(ptx_check::Double::subtract, MODE, a, b);                                          \
    }                                                                                                                  \
    inline double __dmul_##SUFFIX(double a, double b) {                                                                \
        return ptx_check::calculate(ptx_check::Double::multiply, MODE, a, b);                                          \
    }                                                                                                                  \
    inline double __fma_##SUFFIX(double a, double b, double c) {                                                       \
        return ptx_check::calculate(ptx_check::Double::fma, MODE, a, b, c);                                            \
    }                                                                                                                  \
    inline double __ddiv_##SUFFIX(double a, double b) {                                                                \
        return ptx_check::calculate(ptx_check::Double::divide, MODE, a, b);                                            \
    }                                                                                                                  \
    inline double __drcp_##SUFFIX(double a) {                                                                          \
        return ptx_check::calculate(ptx_check::Double::divide, MODE, 1, a);                                            \
    }                                                                                                                  \
    inline double __dsqrt_##SUFFIX(double a) {                                                                         \
        return ptx_check::calculate(ptx_check::Double::square_root, MODE, a);                                          \
    }

PTX_CHECK_ROUNDED(rn, ptx_check::Round::nearest)
PTX_CHECK_ROUNDED(rz, ptx_check::Round::zero)
PTX_CHECK_ROUNDED(rd, ptx_check::Round::down)
PTX_CHECK_ROUNDED(ru, ptx_check::Round::up)

#undef PTX_CHECK_ROUNDED

inline float __frsqrt_rn(float x) { return ptx_check::to_float(1 / std::sqrt((double)x)); }
inline float __saturatef(float x) { return (float)ptx_check::saturate(x); }

// functions.cpp gives the C functions fmin and fmax the order of zeroes and the NaN that the device has.
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin((double)a, b); }
inline double max(float a, double b) { return fmax((double)a, b); }
inline double min(double a, float b) { return fmin(a, (double)b); }
inline double max(double a, float b) { return fmax(a, (double)b); }
