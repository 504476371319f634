;##cudaProfilerStop
