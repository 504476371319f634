#include <cuda_runtime.h>

__global__ void add(unsigned *to) {
    unsigned old;
    asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(to));
    asm volatile("red.async.relaxed.cluster.add.u32 [%0], 1;" ::"r"(old));
}

void wait() { cudaDeviceSynchronize(); }
