"""Helpers of torch_musa's own tests: the stand-in has none."""
