void gemm();
