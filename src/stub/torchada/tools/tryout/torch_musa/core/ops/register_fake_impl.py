"""Shapes of torch_musa's own operators, of which the stand-in has none."""
