#pragma once
#include <cuda_runtime.h>

// What a call gives back.
#define CHECK(call)                                  \
    do {                                             \
        cudaError_t result_ = (call);                \
        if (result_ != cudaSuccess) fail(cudaGetErrorString(result_)); \
    } while (0)

void fail(const char *why);

template <typename T>
void fill(T *to, int count) {
    CHECK(cudaMemsetAsync(to, 0, count * sizeof(T), 0));
    CHECK(cudaMemPrefetchAsync(to, count * sizeof(T), 0, 0));
}
