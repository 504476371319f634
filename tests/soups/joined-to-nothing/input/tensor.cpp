#:nvmlDeviceGetVgpuCapabilities##
#define NVTOOLSEXT_CUDA_V3##
###cudaFree
