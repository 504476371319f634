"""Helpers of torch_musa's own build: the double has none."""
