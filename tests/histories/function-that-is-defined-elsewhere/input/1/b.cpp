int cudaFree(void *p) { return 0; }
