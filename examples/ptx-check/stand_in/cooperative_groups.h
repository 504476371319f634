// A stand-in for MUSA's header of this name: the group of a block's threads.
#pragma once

#include "musa_runtime.h"

namespace cooperative_groups {

class thread_block {
public:
    void sync() const { __syncthreads(); }
    unsigned long long thread_rank() const { return threadIdx.x; }
    unsigned long long size() const { return blockDim.x; }
};

inline thread_block this_thread_block() { return {}; }

}  // namespace cooperative_groups
