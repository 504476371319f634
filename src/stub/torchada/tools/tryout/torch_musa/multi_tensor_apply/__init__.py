"""Kernels over lists of tensors: the stand-in has none."""
