"""Helpers of torch_musa's own build: the stand-in has none."""
