"""Shapes of torch_musa's own operators, of which the double has none."""
