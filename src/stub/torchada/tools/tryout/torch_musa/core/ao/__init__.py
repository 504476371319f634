"""Quantization: the stand-in has names only."""
