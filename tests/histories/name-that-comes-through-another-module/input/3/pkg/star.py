from .compat import *

th.cuda.synchronize()
torch.cuda.synchronize()
cuda.CUDAGraph()
