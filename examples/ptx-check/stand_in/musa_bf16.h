// A stand-in for MUSA's header of this name.
#pragma once

#include "ptx_check/narrow.h"

struct __mt_bfloat16_raw {
    unsigned short x;
};
struct __mt_bfloat162_raw {
    unsigned short x, y;
};

struct __mt_bfloat16 : ptx_check::Narrow<8, 7> {
    using Base = ptx_check::Narrow<8, 7>;
    using Base::Base;
    __mt_bfloat16() = default;
    __mt_bfloat16(Base x) : Base(x) {}
    __mt_bfloat16(__mt_bfloat16_raw x) : Base(of_bits(x.x)) {}
    operator __mt_bfloat16_raw() const { return {bits}; }
};
struct __mt_bfloat162 : ptx_check::NarrowPair<8, 7> {
    using Base = ptx_check::NarrowPair<8, 7>;
    using Base::Base;
    __mt_bfloat162() = default;
    __mt_bfloat162(Base x) : Base(x) {}
    __mt_bfloat162(__mt_bfloat162_raw x) : Base(Part::of_bits(x.x), Part::of_bits(x.y)) {}
    operator __mt_bfloat162_raw() const { return {x.bits, y.bits}; }
};

using mt_bfloat16 = __mt_bfloat16;
using mt_bfloat162 = __mt_bfloat162;

PTX_CHECK_NARROW_TYPE(__mt_bfloat16, bfloat16)
PTX_CHECK_NARROW_PAIR(__mt_bfloat16, __mt_bfloat162, bfloat16)
inline __mt_bfloat162 make_bfloat162(__mt_bfloat16 x, __mt_bfloat16 y) { return {x, y}; }
