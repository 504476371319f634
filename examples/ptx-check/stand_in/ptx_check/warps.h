// The lanes of a warp: shuffles, votes, matches and reductions.
#pragma once

#include "bits.h"
#include "block.h"

inline int __get_laneid() { return (int)ptx_check::lane(); }
inline unsigned __get_lanemask_eq() { return 1u << ptx_check::lane(); }
inline unsigned __get_lanemask_lt() { return __get_lanemask_eq() - 1; }
inline unsigned __get_lanemask_le() { return __get_lanemask_eq() | __get_lanemask_lt(); }
inline unsigned __get_lanemask_gt() { return ~__get_lanemask_le(); }
inline unsigned __get_lanemask_ge() { return ~__get_lanemask_lt(); }

__attribute__((always_inline)) inline unsigned __activemask() { return ptx_check::converged(); }
inline void __syncwarp(unsigned mask = 0xffffffffu) { ptx_check::meet(mask, ptx_check::Operation::sync, 0); }

namespace ptx_check {

enum class Shuffle { index, up, down, butterfly };

template <Shuffle HOW, class T> inline T shuffle(unsigned mask, T value, unsigned by, int width) {
    static_assert(sizeof(T) <= 8, "a shuffle moves up to 64 bits");
    unsigned long long bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    const Met met = meet(mask, Operation::shuffle, bits);
    // As shfl has it: `by` has five bits, and lanes outside of the segment give the lane its own value back.
    const int at = (int)lane(), segment = at & ~(width - 1), last = segment | (width - 1);
    int from = at;
    by &= 31;
    if (HOW == Shuffle::index)
        from = segment | ((int)by & (width - 1));
    else if (HOW == Shuffle::up && at - (int)by >= segment)
        from = at - (int)by;
    else if (HOW == Shuffle::down && at + (int)by <= last)
        from = at + (int)by;
    else if (HOW == Shuffle::butterfly && (at ^ (int)by) <= last)
        from = at ^ (int)by;
    if (met.lanes >> from & 1)
        std::memcpy(&value, &met.values[from], sizeof value);
    return value;
}

inline unsigned vote(unsigned mask, bool value) {
    const Met met = meet(mask, Operation::vote, value);
    unsigned lanes = 0;
    for (unsigned at = 0; at < 32; ++at)
        lanes |= (met.lanes >> at & (unsigned)met.values[at] & 1u) << at;
    return lanes;
}

} // namespace ptx_check

// Without a mask, the lanes that are there take part.
#define PTX_CHECK_SHUFFLE(NAME, HOW, BY)                                                                               \
    template <class T> inline T NAME##_sync(unsigned mask, T value, BY by, int width = 32) {                           \
        return ptx_check::shuffle<ptx_check::Shuffle::HOW>(mask, value, (unsigned)by, width);                          \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    __attribute__((always_inline)) inline T NAME(T value, BY by, int width = 32) {                                     \
        return NAME##_sync(ptx_check::converged(), value, by, width);                                                  \
    }

PTX_CHECK_SHUFFLE(__shfl, index, int)
PTX_CHECK_SHUFFLE(__shfl_up, up, unsigned)
PTX_CHECK_SHUFFLE(__shfl_down, down, unsigned)
PTX_CHECK_SHUFFLE(__shfl_xor, butterfly, int)

#undef PTX_CHECK_SHUFFLE

inline unsigned __ballot_sync(unsigned mask, int value) { return ptx_check::vote(mask, value != 0); }
inline int __any_sync(unsigned mask, int value) { return ptx_check::vote(mask, value != 0) != 0; }
inline int __all_sync(unsigned mask, int value) { return ptx_check::vote(mask, value == 0) == 0; }
__attribute__((always_inline)) inline unsigned __ballot(int value) {
    return __ballot_sync(ptx_check::converged(), value);
}
__attribute__((always_inline)) inline int __any(int value) { return __any_sync(ptx_check::converged(), value); }
__attribute__((always_inline)) inline int __all(int value) { return __all_sync(ptx_check::converged(), value); }

// Both compute with the lanes of `mask` alone.
inline int __reduce_add_sync(unsigned mask, int value) {
    const ptx_check::Met met = ptx_check::meet(mask, ptx_check::Operation::match, (unsigned)value);
    unsigned sum = 0;
    for (unsigned at = 0; at < 32; ++at)
        if (met.lanes >> at & 1)
            sum += (unsigned)met.values[at];
    return (int)sum;
}
inline unsigned __reduce_add_sync(unsigned mask, unsigned value) { return (unsigned)__reduce_add_sync(mask, (int)value); }
inline unsigned __reduce_or_sync(unsigned mask, unsigned value) {
    const ptx_check::Met met = ptx_check::meet(mask, ptx_check::Operation::match, value);
    unsigned all = 0;
    for (unsigned at = 0; at < 32; ++at)
        if (met.lanes >> at & 1)
            all |= (unsigned)met.values[at];
    return all;
}

// Values are compared bit by bit.
template <class T> inline unsigned __match_any_sync(unsigned mask, T value) {
    unsigned long long bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    const ptx_check::Met met = ptx_check::meet(mask, ptx_check::Operation::match, bits);
    unsigned same = 0;
    for (unsigned at = 0; at < 32; ++at)
        if ((met.lanes >> at & 1) && met.values[at] == bits)
            same |= 1u << at;
    return same;
}
template <class T> inline unsigned __match_all_sync(unsigned mask, T value, int *is_same) {
    unsigned long long bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    const ptx_check::Met met = ptx_check::meet(mask, ptx_check::Operation::match, bits);
    *is_same = 1;
    for (unsigned at = 0; at < 32; ++at)
        if ((met.lanes >> at & 1) && met.values[at] != bits)
            *is_same = 0;
    return *is_same ? met.lanes : 0;
}
