"""Inputs of any size for operators whose samples have none: data, and nothing else."""

from __future__ import annotations

#: The shapes of the tensors that an operator takes, for n elements or so in the first: `N` is n, `R` its square root,
#: `P` the side of a picture of which 256 have n pixels, a number itself; `=` starts an argument that is no tensor.
SHAPES: dict[str, tuple[str, ...]] = {
    "addmm": ("R R", "R R", "R R"),
    "bmm": ("8 R R", "8 R R"),
    "cat": ("=two",),
    "cumsum": ("R R", "=1"),
    "linalg.vector_norm": ("N",),
    "log_softmax": ("R R", "=1"),
    "matmul": ("R R", "R R"),
    "mm": ("R R", "R R"),
    "mv": ("R R", "R"),
    "nn.functional.conv2d": ("8 32 P P", "32 32 3 3"),
    "nn.functional.gelu": ("N",),
    "nn.functional.layer_norm": ("R R", "=row"),
    "nn.functional.linear": ("R R", "R R", "R"),
    "nn.functional.mse_loss": ("N", "N"),
    "nn.functional.scaled_dot_product_attention": ("2 8 R 64", "2 8 R 64", "2 8 R 64"),
    "nn.functional.silu": ("N",),
    "softmax": ("R R", "=1"),
    "sort": ("R R",),
    "topk": ("R R", "=8"),
    "transpose": ("R R", "=0", "=1"),
}
