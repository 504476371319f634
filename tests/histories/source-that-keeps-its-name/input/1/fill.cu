__global__ void fill(float* x) { x[threadIdx.x] = 1.0f; }
