// What the simulated block offers to its threads; block.cpp has the other side.
#pragma once

#include "vectors.h"

extern __thread uint3 threadIdx;
extern uint3 blockDim;
constexpr uint3 blockIdx = {0, 0, 0};
constexpr uint3 gridDim = {1, 1, 1};
constexpr int warpSize = 32;

namespace ptx_check {

// What a lane learns where the lanes of its warp meet.
struct Met {
    // The lanes that take part.
    unsigned lanes;
    // What each of them brought.
    unsigned long long values[32];
};

// Operations for which lanes meet: lanes that came for different ones don't meet.
enum class Operation { sync, shuffle, vote, match };

// Wait until each lane in `mask` that has not returned has come for the same operation with the same mask.
Met meet(unsigned mask, Operation operation, unsigned long long value);

// The lanes of the warp that are at the same place of the code: the others are elsewhere and wait, or have returned, or
// have not come here for a while.
unsigned converged();

// What a thread learns at a barrier of the block.
struct Passed {
    // How many threads brought true.
    int count;
    // How many threads came.
    int threads;
};

// Wait for as many threads as the barrier expects: 0 stands for all that have not returned. A thread that only arrives
// does not wait.
Passed barrier(unsigned id, unsigned expected, bool value, bool waits);

// Set how many warps a barrier needs, and count those that arrive. An arrival returns the phase that it belongs to.
void expect_warps(unsigned id, unsigned warps, unsigned phase);
unsigned arrive_warp(unsigned id);
void wait_phase(unsigned id, unsigned phase);

// End the thread, as a return from the kernel does.
[[noreturn]] void leave();

// End the block: an error of the code that runs in it.
[[noreturn]] void fail(const char *what);

// Whether an address is one of the block's shared variables, or on a thread's stack.
bool is_shared(const void *address);
bool is_local(const void *address);

inline unsigned thread() { return threadIdx.x; }
inline unsigned lane() { return threadIdx.x & 31u; }

} // namespace ptx_check
