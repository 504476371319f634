// What mcc gives each source of MUSA's. The number is that of a GPU with warps of 32 threads, as NVIDIA's are.
#ifdef __CUDA_ARCH__
#define __MUSA_ARCH__ 310
#endif
#include <musa_runtime.h>
