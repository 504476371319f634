"""Quantized modules: the double has none."""
