"""What torch.compile knows of the device. torch_musa loads Dynamo when it is imported, and so does the stand-in."""

import torch_musa
from torch._dynamo.variables.torch import supported_ctx_manager_classes

from .backend import musagraphs
from .device_interface import MusaInterface, get_registered_device_interfaces, register_interface_for_device

__all__ = [
    "MusaInterface",
    "get_registered_device_interfaces",
    "musagraphs",
    "register_interface_for_device",
    "supported_ctx_manager_classes",
]

supported_ctx_manager_classes[torch_musa.core.amp.autocast_mode.autocast] = None

register_interface_for_device("musa", MusaInterface)
for _index in range(torch_musa.device_count()):
    register_interface_for_device(f"musa:{_index}", MusaInterface)
