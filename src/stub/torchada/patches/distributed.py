"""`torch.distributed`: backends, process groups and meshes of devices."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import torch

from .. import _report, _tables
from .._journal import Journal
from .._registry import patch

_C10D = "torch.distributed.distributed_c10d"


def _backend(name: str) -> str:
    """What a backend is called on MUSA: `"nccl"` is `"mccl"`, `"cpu:gloo,cuda:nccl"` is `"cpu:gloo,musa:mccl"`."""
    if ":" not in name:
        return _tables.BACKENDS.get(name.lower(), name)
    pairs = []
    for pair in name.split(","):
        device, colon, backend = pair.partition(":")
        device = "musa" if device.strip().lower() == "cuda" else device
        pairs.append(device + colon + _tables.BACKENDS.get(backend.strip().lower(), backend))
    return ",".join(pairs)


@patch("distributed-backend", module=_C10D)
def backend(journal: Journal) -> None:
    """Have every function of `torch.distributed` that takes a backend understand `"nccl"` as `"mccl"` and
    `"cpu:gloo,cuda:nccl"` as `"cpu:gloo,musa:mccl"`. A backend that is registered for CUDA's device serves
    MUSA's."""
    c10d = sys.modules[_C10D]
    count = _report.counter("distributed-backend", "torch.distributed.Backend")

    def translate(name: Any) -> Any:
        if isinstance(name, str):
            found = _backend(name)
            if found != name:
                count()
                return found
        return name

    # All names of backends go through these two, whichever function they were given to.
    make = c10d.Backend.__new__

    @functools.wraps(make)
    def new(cls: type, name: str) -> str:
        return make(cls, translate(name))

    journal.set(c10d.Backend, "__new__", staticmethod(new))
    configure = c10d.BackendConfig.__init__

    @functools.wraps(configure)
    def init(self: Any, backend: str) -> None:
        configure(self, translate(backend))

    journal.set(c10d.BackendConfig, "__init__", init)
    if hasattr(c10d, "_parse_backend_string"):
        parse = c10d._parse_backend_string

        @functools.wraps(parse)
        def parse_backend_string(backend: str, *args: Any, **kwargs: Any) -> Any:
            return parse(translate(backend), *args, **kwargs)

        journal.set(c10d, "_parse_backend_string", parse_backend_string)
    defaults = c10d.Backend.default_device_backend_map
    journal.item(defaults, "cuda", _tables.BACKENDS.get(defaults.get("cuda", ""), "mccl"))
    _registration(c10d, journal)


def _registration(c10d: Any, journal: Journal) -> None:
    register = c10d.Backend.register_backend.__func__

    @functools.wraps(register)
    def register_backend(cls: Any, name: str, *args: Any, **kwargs: Any) -> None:
        register(cls, name, *args, **kwargs)
        capability = cls.backend_capability
        # Not before: who registers for another device than CUDA's becomes that device's default.
        devices = ["musa" if device == "cuda" else device for device in capability.get(name.lower(), [])]
        capability[name.lower()] = list(dict.fromkeys(devices))

    journal.set(c10d.Backend, "register_backend", classmethod(register_backend))


class _Name(str):
    """A backend's name that is equal to the name that CUDA code compares it to, as well."""

    __slots__ = ("_cuda",)

    _cuda: str

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other) is True or (isinstance(other, str) and self._cuda == str(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return str, (str(self),)


@patch("distributed-backend-name", module="torch.distributed")
def backend_name(journal: Journal) -> None:
    """Have the answer of `torch.distributed.get_backend` for MUSA's groups be `"mccl"`, which is also equal to
    `"nccl"`, so that comparisons in CUDA code hold. In a set or as a key it is `"mccl"` only."""
    distributed: Any = sys.modules["torch.distributed"]
    if not hasattr(distributed, "get_backend"):
        return
    original = distributed.get_backend
    names = {theirs: ours for ours, theirs in _tables.BACKENDS.items()}

    @functools.wraps(original)
    def get_backend(*args: Any, **kwargs: Any) -> str:
        found = original(*args, **kwargs)
        ours = names.get(found)
        if ours is None:
            return found
        name = _Name(found)
        name._cuda = ours
        return name

    # torch's own functions, which mean NCCL when they say so, have the one in distributed_c10d.
    journal.set(distributed, "get_backend", get_backend)


@patch("distributed-nccl", module=_C10D)
def nccl(journal: Journal) -> None:
    """Have `ProcessGroupNCCL` be torch_musa's `ProcessGroupMCCL`, with its `Options`, and
    `is_nccl_available()` and `is_backend_available("nccl")` say whether that is there."""
    c10d = sys.modules[_C10D]
    distributed: Any = sys.modules["torch.distributed"]
    available = getattr(distributed, "is_mccl_available", None)
    group = getattr(distributed, "ProcessGroupMCCL", None)
    if group is None:
        return
    journal.set(c10d, "_NCCL_AVAILABLE", bool(available is None or available()))
    for module in (c10d, distributed, torch._C._distributed_c10d):
        journal.set(module, "ProcessGroupNCCL", group)


@patch("distributed-subgroups", module=_C10D)
def subgroups(journal: Journal) -> None:
    """Have `torch.distributed.new_subgroups()` make groups as large as there are MUSA devices."""
    c10d = sys.modules[_C10D]
    original = c10d.new_subgroups

    @functools.wraps(original)
    def new_subgroups(group_size: Any = None, *args: Any, **kwargs: Any) -> Any:
        if group_size is None and torch.musa.is_available():
            group_size = torch.musa.device_count()
        return original(group_size, *args, **kwargs)

    for module in (c10d, sys.modules["torch.distributed"]):
        journal.set(module, "new_subgroups", new_subgroups)


def _with_device_type(original: Callable[..., Any], place: int, what: str) -> Callable[..., Any]:
    count = _report.counter("device-mesh", what)

    @functools.wraps(original)
    def with_device_type(*args: Any, **kwargs: Any) -> Any:
        if len(args) > place:
            if args[place] == "cuda":
                count()
                args = (*args[:place], "musa", *args[place + 1 :])
        elif kwargs.get("device_type") == "cuda":
            count()
            kwargs["device_type"] = "musa"
        return original(*args, **kwargs)

    return with_device_type


@patch("device-mesh", module="torch.distributed.device_mesh")
def device_mesh(journal: Journal) -> None:
    """Have `init_device_mesh("cuda", …)`, `DeviceMesh("cuda", …)` and `DeviceMesh.from_group(…, "cuda")` make
    meshes of MUSA devices, whose `device_type` is `"musa"`."""
    module: Any = sys.modules["torch.distributed.device_mesh"]
    mesh = getattr(module, "DeviceMesh", None)
    if isinstance(mesh, type):
        journal.set(mesh, "__init__", _with_device_type(vars(mesh)["__init__"], 1, "torch.distributed.DeviceMesh"))


@patch("fully-shard-inputs", module="torch.distributed.fsdp._fully_shard._fsdp_state")
def fully_shard_inputs(journal: Journal) -> None:
    """Have a module that `fully_shard` was applied to move its inputs to the MUSA device, as older torch
    does for the devices that it knows by name only."""
    module: Any = sys.modules["torch.distributed.fsdp._fully_shard._fsdp_state"]
    original = module.FSDPState._root_pre_forward
    if "_get_privateuse1_backend_name" in original.__code__.co_names:
        return

    @functools.wraps(original)
    def root_pre_forward(self: Any, *args: Any) -> Any:
        positional, named = original(self, *args)
        if self._state_ctx.iter_forward_root is self and self._device.type == "musa" and (positional or named):
            all_positional, all_named = module._to_kwargs(positional, named, self._device, False)
            return all_positional[0], all_named[0]
        return positional, named

    journal.set(module.FSDPState, "_root_pre_forward", root_pre_forward)


@patch("distributed-run", module="torch.distributed.run")
def run(journal: Journal) -> None:
    """Have `torchrun --nproc-per-node=gpu` start as many processes as there are MUSA devices, where torchada
    is imported in the launcher."""
    module: Any = sys.modules["torch.distributed.run"]
    original = module.determine_local_world_size

    @functools.wraps(original)
    def determine_local_world_size(nproc_per_node: str) -> int:
        return original("musa" if nproc_per_node == "gpu" else nproc_per_node)

    journal.set(module, "determine_local_world_size", determine_local_world_size)
