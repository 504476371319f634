// A part of what MUSA's own header may declare, with gaps.
#pragma once
#include <stddef.h>
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
typedef int musaError_t;
enum { musaSuccess = 0 };
typedef struct stream *musaStream_t;
typedef struct graph *musaGraph_t;
typedef struct graph_exec *musaGraphExec_t;
const char *musaGetErrorString(musaError_t);
musaError_t musaMalloc(void **, size_t);
musaError_t musaMallocAsync(void **, size_t);
musaError_t musaMemsetAsync(void *, int, size_t, musaStream_t);
musaError_t musaMemPrefetchAsync(const void *, size_t, int);
musaError_t musaGraphInstantiate(musaGraphExec_t *, musaGraph_t, unsigned long long);
musaError_t musaGraphLaunch(musaGraphExec_t, musaStream_t);
musaError_t musaDeviceSynchronize(void);
struct dim3 { unsigned x, y, z; };
