"""Fused optimizers: the double has none."""
