"""A stand-in for torch_musa: a real PrivateUse1 backend of torch whose device memory is host memory.

`torch.musa` is this module, and has the public names that torch_musa gives it, no more: so imports that
are not torch_musa's names begin with an underscore. Its lower half, `_MUSAC`, is in Python (`_tryout`), or the
compiled one of the test bed.
"""


def _autoload() -> None:
    """The entry point that `import torch` calls. Importing this module has done everything.

    It stands before the import of torch: where this module is imported first, torch asks for it while
    the rest is not there yet.
    """


import sys as _sys

import torch as _torch

from . import _cuda_half

_lent = _cuda_half.hide()
_torch.utils.rename_privateuse1_backend("musa")

from ._half import _MUSAC

vars(_MUSAC).update(_lent)

# what a name of a device leads to, in Python and where torch's C++ half imports "torch.musa"
_torch._register_device_module("musa", _sys.modules[__name__])
_torch._C._profiler.ProfilerActivity.MUSA = _torch._C._profiler.ProfilerActivity.PrivateUse1

from .version import __version__

TORCH_MIN_VERSION = _torch.torch_version.TorchVersion("2.7.1")
TORCH_VERSION = _torch.__version__.split("+")[0]

from .core import current_blas_handle, current_blaslt_handle
from .core.device import (
    Device as device,
    DeviceOf as device_of,
    _DeviceGuard,
    _exchange_device,
    _maybe_exchange_device,
    can_device_access_peer,
    current_device,
    device_count,
    get_arch_list,
    get_device_capability,
    get_device_name,
    get_device_properties,
    is_available,
    is_bf16_supported,
    is_tf32_supported,
    register_musa_hook,
    set_device,
    synchronize,
)

register_musa_hook()

from .core import amp, memory
from .core._lazy_init import (
    _initialized,
    _is_in_bad_fork,
    _lazy_call,
    _lazy_init,
    is_initialized,
    musart,
)
from .core.amp.common import amp_definitely_not_available, get_amp_supported_dtype
from .core.memory import *
from .core.random import *
from .core.random import _default_generators
from .core.serialization import register_deserialization
from .core.stream import (
    Event,
    ExternalStream,
    Stream,
    StreamContext,
    _set_stream_by_id,
    current_stream,
    default_stream,
    set_stream,
    stream,
)

default_generators = _default_generators()
_torch.random.fork_rng = fork_rng

# torch_musa takes everything from this module, its imports too
from .core import mccl
from .core.mudnn import (
    ContextProp,
    MudnnModule,
    PropModule,
    contextmanager,
    flags,
    set_flags,
    torch_musa,
    version,
)
from .core.ops import register_fake_impl
from .musa_graph import *

register_deserialization()
_torch.version.musa = "40300"


def _sleep(cycles: int) -> None:
    """Nothing: the stand-in's streams have no time of their own."""


from .core.module_attrs import set_module_attributes
from .core.storage import set_storage_attributes
from .core.tensor_attrs import set_torch_attributes
from .core.tensor_types import set_tensor_types as _set_tensor_types
from .profiler import set_profiler_attributes
from .utils import BuildExtension, MUSAExtension


def set_attributes() -> None:
    """Give torch's own classes the attributes that speak of the device."""
    set_torch_attributes()
    set_module_attributes()
    set_storage_attributes()
    set_profiler_attributes()


set_attributes()
_set_tensor_types(_sys.modules[__name__])

from . import _kernels, distributed


def ipc_collect() -> None:
    """Nothing: the stand-in shares no device memory between processes."""


from .core.reductions import init_reductions

init_reductions()

from . import _dynamo


def __getattr__(name: str) -> object:
    """What torch_musa takes from its part for Dynamo."""
    if name in _dynamo.__all__:
        return getattr(_dynamo, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_dynamo.__all__})


def overwrite_cuda_api() -> None:
    """What torch initializes lazily by CUDA's name is this device's."""
    _torch.cuda._lazy_init = _lazy_init
    _torch.cuda._lazy_call = _lazy_call


overwrite_cuda_api()

from .core.ao import nn
from .core.lowering import apply_lowering_patch

OutOfMemoryError = _torch.OutOfMemoryError

apply_lowering_patch()

from ._unified import parseEnvForUMM, use_unified_cpu_allocator

parseEnvForUMM()

# "import torch.musa.core.stream" must find these modules, not load them a second time
for _name in [name for name in _sys.modules if name.startswith(__name__ + ".")]:
    _sys.modules["torch.musa" + _name[len(__name__) :]] = _sys.modules[_name]
