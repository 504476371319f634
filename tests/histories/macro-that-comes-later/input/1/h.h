#include <cuda_runtime.h>
#define cudaMalloc mine
