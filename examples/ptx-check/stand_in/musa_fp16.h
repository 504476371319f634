// A stand-in for MUSA's header of this name.
#pragma once

#include "ptx_check/narrow.h"

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

struct __half : ptx_check::Narrow<5, 10> {
    using Base = ptx_check::Narrow<5, 10>;
    using Base::Base;
    __half() = default;
    __half(Base x) : Base(x) {}
    __half(__half_raw x) : Base(of_bits(x.x)) {}
    operator __half_raw() const { return {bits}; }
};
struct __half2 : ptx_check::NarrowPair<5, 10> {
    using Base = ptx_check::NarrowPair<5, 10>;
    using Base::Base;
    __half2() = default;
    __half2(Base x) : Base(x) {}
    __half2(__half2_raw x) : Base(Part::of_bits(x.x), Part::of_bits(x.y)) {}
    operator __half2_raw() const { return {x.bits, y.bits}; }
};

using half = __half;
using half2 = __half2;
using mt_half = __half;
using mt_half2 = __half2;
using __mt_half = __half;
using __mt_half2 = __half2;

PTX_CHECK_NARROW_TYPE(__half, half)
PTX_CHECK_NARROW_PAIR(__half, __half2, half)
inline __half2 make_half2(__half x, __half y) { return {x, y}; }
inline __half2 __lowhigh2highlow(__half2 x) { return {x.y, x.x}; }
