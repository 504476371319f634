# Memory on the device: what is written there comes back.
import torch
import torch_musa  # noqa: F401

values = torch.arange(1 << 16, dtype=torch.float32)
there = values.to("musa")
right = torch.equal(there.cpu(), values)
answer({"right": right, "says": f"{there.numel() * 4} bytes on {torch.musa.get_device_name(0)}"})
