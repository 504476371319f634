"""Helpers of torch_musa's own tests: the double has none."""
