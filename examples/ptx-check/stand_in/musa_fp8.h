// A stand-in for MUSA's header of this name.
#pragma once

#include "musa_bf16.h"
#include "musa_fp16.h"

using __mt_fp8_storage_t = unsigned char;
using __mt_fp8x2_storage_t = unsigned short;
using __mt_fp8x4_storage_t = unsigned;

enum __mt_saturation_t { __MT_NOSAT, __MT_SATFINITE };
enum __mt_fp8_interpretation_t { __MT_E4M3, __MT_E5M2 };

namespace ptx_check {

// A number in e4m3, which has no infinity: 0x7e is 448, and 0x7f is NaN.
inline unsigned char to_e4m3(double x, bool saturates) {
    if (x != x)
        return 0x7f;
    const unsigned sign = std::signbit(x) ? 0x80 : 0;
    const double magnitude = std::fabs(x);
    // Up to here it is as IEEE has it, with 8 values in each power of two.
    if (magnitude < 128)
        return (unsigned char)(sign | narrow<4, 3>(magnitude));
    const double sixteenths = std::nearbyint(magnitude / 16);
    if (sixteenths < 16)
        return (unsigned char)(sign | (0x70 + ((unsigned)sixteenths - 8)));
    const double steps = std::nearbyint(magnitude / 32);
    if (steps > 14)
        return (unsigned char)(sign | (saturates ? 0x7e : 0x7f));
    return (unsigned char)(sign | (0x78 + ((unsigned)steps - 8)));
}

inline unsigned char to_e5m2(double x, bool saturates) {
    unsigned bits = (unsigned)narrow<5, 2>(x);
    if (x == x && (bits & 0x7f) == 0x7c && saturates)
        bits = (bits & 0x80) | 0x7b;
    return (unsigned char)bits;
}

inline double of_e4m3(unsigned char bits) {
    if ((bits & 0x7f) == 0x7f)
        return __builtin_nan("");
    if ((bits & 0x78) == 0x78)
        return (bits & 0x80 ? -32.0 : 32.0) * (8 + (bits & 7));
    return widen<4, 3>(bits);
}

inline unsigned char to_fp8(double x, bool saturates, __mt_fp8_interpretation_t type) {
    return type == __MT_E4M3 ? to_e4m3(x, saturates) : to_e5m2(x, saturates);
}
inline double of_fp8(unsigned char x, __mt_fp8_interpretation_t type) {
    return type == __MT_E4M3 ? of_e4m3(x) : widen<5, 2>(x);
}

// One number; a conversion from float saturates.
template <__mt_fp8_interpretation_t TYPE> struct Fp8 {
    __mt_fp8_storage_t __x;
    Fp8() = default;
    explicit Fp8(float x) : __x(to_fp8(x, true, TYPE)) {}
    explicit Fp8(double x) : __x(to_fp8(x, true, TYPE)) {}
    explicit Fp8(__half x) : __x(to_fp8(x.value(), true, TYPE)) {}
    explicit Fp8(__mt_bfloat16 x) : __x(to_fp8(x.value(), true, TYPE)) {}
    explicit operator float() const { return to_float(of_fp8(__x, TYPE)); }
    explicit operator __half() const { return __half(of_fp8(__x, TYPE)); }
};

// Several numbers, the first one in the lowest byte.
template <__mt_fp8_interpretation_t TYPE> struct Fp8Pair {
    __mt_fp8x2_storage_t __x;
    Fp8Pair() = default;
    explicit Fp8Pair(float2 x) : __x((unsigned short)(Fp8<TYPE>(x.x).__x | Fp8<TYPE>(x.y).__x << 8)) {}
    explicit operator float2() const {
        return {to_float(of_fp8((unsigned char)__x, TYPE)), to_float(of_fp8((unsigned char)(__x >> 8), TYPE))};
    }
    explicit operator __half2() const {
        return __half2(__half(of_fp8((unsigned char)__x, TYPE)), __half(of_fp8((unsigned char)(__x >> 8), TYPE)));
    }
};
template <__mt_fp8_interpretation_t TYPE> struct Fp8Four {
    __mt_fp8x4_storage_t __x;
    Fp8Four() = default;
    explicit Fp8Four(float4 x)
        : __x(Fp8Pair<TYPE>(float2{x.x, x.y}).__x | (unsigned)Fp8Pair<TYPE>(float2{x.z, x.w}).__x << 16) {}
    explicit operator float4() const {
        float parts[4];
        for (int at = 0; at < 4; ++at)
            parts[at] = to_float(of_fp8((unsigned char)(__x >> (8 * at)), TYPE));
        return {parts[0], parts[1], parts[2], parts[3]};
    }
};

} // namespace ptx_check

using __mt_fp8_e4m3 = ptx_check::Fp8<__MT_E4M3>;
using __mt_fp8_e5m2 = ptx_check::Fp8<__MT_E5M2>;
using __mt_fp8x2_e4m3 = ptx_check::Fp8Pair<__MT_E4M3>;
using __mt_fp8x2_e5m2 = ptx_check::Fp8Pair<__MT_E5M2>;
using __mt_fp8x4_e4m3 = ptx_check::Fp8Four<__MT_E4M3>;
using __mt_fp8x4_e5m2 = ptx_check::Fp8Four<__MT_E5M2>;

inline __mt_fp8_storage_t __musa_cvt_float_to_fp8(float x, __mt_saturation_t sat, __mt_fp8_interpretation_t type) {
    return ptx_check::to_fp8(x, sat == __MT_SATFINITE, type);
}
inline __mt_fp8x2_storage_t __musa_cvt_float2_to_fp8x2(float2 x, __mt_saturation_t sat,
                                                       __mt_fp8_interpretation_t type) {
    const unsigned low = __musa_cvt_float_to_fp8(x.x, sat, type), high = __musa_cvt_float_to_fp8(x.y, sat, type);
    return (unsigned short)(low | high << 8);
}
inline __mt_fp8_storage_t __musa_cvt_halfraw_to_fp8(__half_raw x, __mt_saturation_t sat,
                                                    __mt_fp8_interpretation_t type) {
    return ptx_check::to_fp8(__half(x).value(), sat == __MT_SATFINITE, type);
}
inline __mt_fp8_storage_t __musa_cvt_bfloat16raw_to_fp8(__mt_bfloat16_raw x, __mt_saturation_t sat,
                                                        __mt_fp8_interpretation_t type) {
    return ptx_check::to_fp8(__mt_bfloat16(x).value(), sat == __MT_SATFINITE, type);
}
inline __half_raw __musa_cvt_fp8_to_halfraw(__mt_fp8_storage_t x, __mt_fp8_interpretation_t type) {
    return __half(ptx_check::of_fp8(x, type));
}
inline __half2_raw __musa_cvt_fp8x2_to_halfraw2(__mt_fp8x2_storage_t x, __mt_fp8_interpretation_t type) {
    const __half_raw low = __musa_cvt_fp8_to_halfraw((unsigned char)x, type);
    const __half_raw high = __musa_cvt_fp8_to_halfraw((unsigned char)(x >> 8), type);
    return {low.x, high.x};
}
