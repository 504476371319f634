// Barriers of the block.
#pragma once

#include "block.h"

inline void __syncthreads() { ptx_check::barrier(0, 0, false, true); }
inline int __syncthreads_count(int value) { return ptx_check::barrier(0, 0, value != 0, true).count; }
inline int __syncthreads_or(int value) { return ptx_check::barrier(0, 0, value != 0, true).count != 0; }
inline int __syncthreads_and(int value) {
    const ptx_check::Passed passed = ptx_check::barrier(0, 0, value != 0, true);
    return passed.count == passed.threads;
}
inline void __syncthreads_lm() { __syncthreads(); }

// MUSA's barriers with names: an identifier, and a number of warps.
inline void __musa_async_init_arrival(unsigned id, unsigned warps, unsigned phase) {
    ptx_check::expect_warps(id, warps, phase);
}
inline unsigned __musa_async_arrive(unsigned id) { return ptx_check::arrive_warp(id); }
inline void __musa_async_wait(unsigned id, unsigned phase) { ptx_check::wait_phase(id, phase); }
