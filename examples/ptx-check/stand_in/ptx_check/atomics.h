// Atomic operations, for the types that CUDA documents.
#pragma once

#include "bits.h"
#include "formats.h"

namespace ptx_check {

// Replace a value by a function of it, and return what was there. Types that aren't integers are compared as `Bits`.
template <class Bits, class T, class F> inline T update(T *address, F next) {
    static_assert(sizeof(Bits) == sizeof(T), "the bits of a value are as many as it has");
    Bits *place = reinterpret_cast<Bits *>(address);
    Bits before = __atomic_load_n(place, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(place, &before, bit_cast<Bits>(next(bit_cast<T>(before))), false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
    return bit_cast<T>(before);
}

} // namespace ptx_check

#define PTX_CHECK_ATOMIC(NAME, T, BITS, NEXT)                                                                          \
    inline T NAME(T *address, T value) {                                                                               \
        return ptx_check::update<BITS>(address, [value](T old) -> T { return NEXT; });                                 \
    }

#define PTX_CHECK_ATOMIC_INTEGERS(T, UNSIGNED)                                                                         \
    PTX_CHECK_ATOMIC(atomicMin, T, UNSIGNED, old < value ? old : value)                                                \
    PTX_CHECK_ATOMIC(atomicMax, T, UNSIGNED, old > value ? old : value)                                                \
    PTX_CHECK_ATOMIC(atomicAnd, T, UNSIGNED, old &value)                                                               \
    PTX_CHECK_ATOMIC(atomicOr, T, UNSIGNED, old | value)                                                               \
    PTX_CHECK_ATOMIC(atomicXor, T, UNSIGNED, old ^ value)                                                              \
    PTX_CHECK_ATOMIC(atomicExch, T, UNSIGNED, value)

PTX_CHECK_ATOMIC_INTEGERS(int, unsigned)
PTX_CHECK_ATOMIC_INTEGERS(unsigned, unsigned)
PTX_CHECK_ATOMIC_INTEGERS(long long, unsigned long long)
PTX_CHECK_ATOMIC_INTEGERS(unsigned long long, unsigned long long)

PTX_CHECK_ATOMIC(atomicAdd, int, unsigned, (int)((unsigned)old + (unsigned)value))
PTX_CHECK_ATOMIC(atomicSub, int, unsigned, (int)((unsigned)old - (unsigned)value))
PTX_CHECK_ATOMIC(atomicAdd, unsigned, unsigned, old + value)
PTX_CHECK_ATOMIC(atomicSub, unsigned, unsigned, old - value)
PTX_CHECK_ATOMIC(atomicInc, unsigned, unsigned, old >= value ? 0 : old + 1)
PTX_CHECK_ATOMIC(atomicDec, unsigned, unsigned, old == 0 || old > value ? value : old - 1)
PTX_CHECK_ATOMIC(atomicAdd, unsigned long long, unsigned long long, old + value)
PTX_CHECK_ATOMIC(atomicAdd, double, unsigned long long, old + value)
PTX_CHECK_ATOMIC(atomicExch, float, unsigned, value)

// Additions to floats in memory keep denormals where they stand in shared memory; so do these everywhere.
PTX_CHECK_ATOMIC(atomicAdd, float, unsigned, ptx_check::to_float(ptx_check::add(old, value, ptx_check::Round::nearest)))

#undef PTX_CHECK_ATOMIC_INTEGERS

#define PTX_CHECK_ATOMIC_SWAP(T)                                                                                       \
    inline T atomicCAS(T *address, T compare, T value) {                                                               \
        __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);              \
        return compare;                                                                                                \
    }

PTX_CHECK_ATOMIC_SWAP(int)
PTX_CHECK_ATOMIC_SWAP(unsigned)
PTX_CHECK_ATOMIC_SWAP(unsigned long long)
PTX_CHECK_ATOMIC_SWAP(unsigned short)

#undef PTX_CHECK_ATOMIC_SWAP
