"""Operators of torch_musa's own."""
