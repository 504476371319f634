#include <cuda_runtime.h>
#include <cuda_fp8.h>

void launch(cudaGraph_t graph, cudaStream_t stream) {
    cudaGraphExec_t run;
    cudaGraphInstantiate(&run, graph, 0);
    cudaGraphLaunch(run, stream);
}
