# A product of small whole numbers is exact in every format that muBLAS may compute float32 in.
import torch
import torch_musa  # noqa: F401

torch.manual_seed(0)
left, right_side = (torch.randint(-4, 5, (64, 64)).to(torch.float32) for _ in range(2))
there = left.to("musa") @ right_side.to("musa")
right = torch.equal(there.cpu(), left @ right_side)
answer({"right": right, "says": "64 × 64 numbers in float32"})
