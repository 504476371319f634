// Functions of one number: those that approximate on the device are rounded from double here.
#pragma once

#include <cmath>

#include "formats.h"

#define PTX_CHECK_FUNCTION(NAME, VALUE)                                                                                \
    inline float NAME(float x) { return ptx_check::to_float(VALUE); }

PTX_CHECK_FUNCTION(__expf, std::exp((double)x))
PTX_CHECK_FUNCTION(__exp2f, std::exp2((double)x))
PTX_CHECK_FUNCTION(__musa_exp2_f, std::exp2((double)x))
PTX_CHECK_FUNCTION(__exp10f, std::pow(10.0, (double)x))
PTX_CHECK_FUNCTION(__logf, std::log((double)x))
PTX_CHECK_FUNCTION(__log2f, std::log2((double)x))
PTX_CHECK_FUNCTION(__log10f, std::log10((double)x))
PTX_CHECK_FUNCTION(__sinf, std::sin((double)x))
PTX_CHECK_FUNCTION(__cosf, std::cos((double)x))
PTX_CHECK_FUNCTION(__tanf, std::tan((double)x))
PTX_CHECK_FUNCTION(__tanhf, std::tanh((double)x))
PTX_CHECK_FUNCTION(rsqrtf, 1 / std::sqrt((double)x))
PTX_CHECK_FUNCTION(rcbrtf, 1 / std::cbrt((double)x))

#undef PTX_CHECK_FUNCTION

inline float __powf(float x, float y) { return ptx_check::to_float(std::pow((double)x, (double)y)); }
// For divisors beyond 2^126 the device's result is 0.
inline float __fdividef(float x, float y) {
    const float magnitude = std::fabs(y);
    if (magnitude > 0x1p126f && std::isfinite(y))
        return std::isinf(x) ? __builtin_nanf("") : 0.0f;
    return x / y;
}
inline void __sincosf(float x, float *sine, float *cosine) {
    *sine = __sinf(x);
    *cosine = __cosf(x);
}
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline double rcbrt(double x) { return 1 / std::cbrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
