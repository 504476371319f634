"""Quantization: the double has names only."""
