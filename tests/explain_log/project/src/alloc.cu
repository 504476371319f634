#include "../include/check.h"

static cudaEvent_t done;

void *allocate(size_t bytes) {
    void *at = nullptr;
    CHECK(cudaMalloc(&at, bytes));
	CHECK(cudaMallocAsync(&at, bytes, 0)); // a tab, and ä before it: ä
    CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    fill(static_cast<float *>(at), 4);
    return at;
}

int own() { return undeclared_here; }
