#include <cuda_runtime.h>
cudaError_t cudaFree(void *p);
