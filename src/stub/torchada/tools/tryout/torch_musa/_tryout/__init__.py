"""A device "musa" in Python: a real PrivateUse1 backend of torch whose memory and kernels are the CPU's.

A tensor of the device is an ordinary `torch.Tensor`: DLPack makes it, over memory that a tensor of the CPU owns
(`memory`). What the dispatcher asks of the device runs on that other tensor (`fallback`, `kernels`, `convolution`).
"""
