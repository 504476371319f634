LR"(
cudaFree(