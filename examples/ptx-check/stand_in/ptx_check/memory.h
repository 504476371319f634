// Loads and stores with cache hints, address spaces, fences and clocks.
#pragma once

#include <ctime>

#include "block.h"

#define PTX_CHECK_LOAD(NAME)                                                                                           \
    template <class T> inline T NAME(const T *address) { return *address; }
#define PTX_CHECK_STORE(NAME)                                                                                          \
    template <class T> inline void NAME(T *address, T value) { *address = value; }

PTX_CHECK_LOAD(__ldg)
PTX_CHECK_LOAD(__ldca)
PTX_CHECK_LOAD(__ldcg)
PTX_CHECK_LOAD(__ldcs)
PTX_CHECK_LOAD(__ldlu)
template <class T> inline T __ldcv(const T *address) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    T value = *address;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return value;
}
PTX_CHECK_STORE(__stcg)
PTX_CHECK_STORE(__stcs)
PTX_CHECK_STORE(__stwb)
PTX_CHECK_STORE(__stwt)

#undef PTX_CHECK_LOAD
#undef PTX_CHECK_STORE

inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

inline unsigned __isShared(const void *address) { return ptx_check::is_shared(address); }
inline unsigned __isLocal(const void *address) { return ptx_check::is_local(address); }
inline unsigned __isConstant(const void *) { return 0; }
inline unsigned __isGlobal(const void *address) {
    return !ptx_check::is_shared(address) && !ptx_check::is_local(address);
}

// An address is the same in each space. Shared and local ones fit in 32 bits.
#define PTX_CHECK_SPACE(SPACE)                                                                                         \
    inline size_t __cvta_generic_to_##SPACE(const void *address) { return (size_t)address; }                           \
    inline void *__cvta_##SPACE##_to_generic(size_t address) { return (void *)address; }

PTX_CHECK_SPACE(shared)
PTX_CHECK_SPACE(global)
PTX_CHECK_SPACE(local)
PTX_CHECK_SPACE(constant)

#undef PTX_CHECK_SPACE

// `clock` is the C library's.
inline long long clock64() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}
inline void __nanosleep(unsigned nanoseconds) {
    timespec length = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    nanosleep(&length, nullptr);
}

[[noreturn]] inline void __trap() { ptx_check::fail("the kernel called __trap()"); }
[[noreturn]] inline void __musa_exit() { ptx_check::leave(); }
