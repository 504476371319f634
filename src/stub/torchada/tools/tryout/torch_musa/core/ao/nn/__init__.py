"""Quantized modules: the stand-in has none."""
