"""Kernels over lists of tensors: the double has none."""
