// The words that a compiler for the device adds to C++.
#pragma once

#define __host__
#define __device__
#define __global__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))

// One block runs in a process, so what its threads share is static. Programs are linked below 4 GB, so that the address
// of a static fits in 32 bits as an address in shared memory does.
#define __shared__ static

// After `static`, g++ takes no `alignas`.
#define alignas(n) __attribute__((aligned(n)))
