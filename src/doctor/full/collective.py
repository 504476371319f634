# A group of one process: MCCL has to load, to find the device and to sum.
import torch
import torch.distributed as dist
import torch_musa  # noqa: F401

dist.init_process_group("mccl", store=dist.HashStore(), rank=0, world_size=1)
there = torch.arange(4, dtype=torch.float32).to("musa")
dist.all_reduce(there)
torch.musa.synchronize()
right = there.cpu().tolist() == [0.0, 1.0, 2.0, 3.0]
dist.destroy_process_group()
answer({"right": right, "says": "a sum in a group of one process"})
