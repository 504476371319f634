"""Fused optimizers: the stand-in has none."""
