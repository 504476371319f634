"""`torch.compile`: what Dynamo and Inductor know by CUDA's name."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import sys
import types
from collections.abc import Iterator
from typing import Any

import torch

from .._journal import Journal
from .._own._properties import DeviceProperties
from .._registry import patch

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def _wrappers() -> Iterator[tuple[str, Any]]:
    """The functions that torchada has put in the place of torch's builtin ones, and their dotted names."""
    for module in (torch, torch.fft):
        for name, value in list(vars(module).items()):
            if (
                isinstance(value, types.FunctionType)
                and value.__code__.co_filename.startswith(_PACKAGE)
                and isinstance(getattr(value, "__wrapped__", None), types.BuiltinFunctionType)
            ):
                yield f"{module.__name__}.{name}", value


@patch("dynamo-functions", module="torch._dynamo.trace_rules")
def dynamo_functions(journal: Journal) -> None:
    """Have `torch.compile` put `torch.zeros(…, device="cuda")` and `torch.cuda`'s functions into graphs as it
    does without torchada: no graph breaks, and what was compiled can be kept in the caches."""
    rules: Any = sys.modules["torch._dynamo.trace_rules"]
    rule = rules.TorchInGraphFunctionVariable
    in_graph = rules.torch_non_c_binding_in_graph_functions
    for dotted, _ in _wrappers():
        # One name must not have two rules. In this table it is also a name that caches can rely on.
        if all(names.get(dotted, rule) is rule for names in rules.torch_name_rule_map) and dotted not in in_graph:
            journal.item(in_graph, dotted, rule)
    # The rules are kept by the functions that had these names when they were asked for first.
    rules.clear_lru_cache()
    journal.undo_with(rules.clear_lru_cache)


@patch("dynamo-frames", module="torch._dynamo.trace_rules")
def dynamo_frames(journal: Journal) -> None:
    """Have `torch.compile` leave torchada's own functions alone where uncompiled code calls them; compiled
    functions still contain what they call."""
    rules: Any = sys.modules["torch._dynamo.trace_rules"]
    original = rules.check

    @functools.wraps(original)
    def check(obj: Any, *args: Any, **kwargs: Any) -> bool:
        inlined = bool(args and args[0]) or bool(kwargs.get("is_inlined_call"))
        if not inlined and isinstance(obj, types.CodeType) and obj.co_filename.startswith(_PACKAGE):
            return True
        return original(obj, *args, **kwargs)

    journal.set(rules, "check", check)


@patch("dynamo-default-device", module="torch.utils._device")
def dynamo_default_device(journal: Journal) -> None:
    """Have `torch.compile` heed `torch.set_default_device("cuda")` and `with torch.device("cuda")`."""
    constructors = sys.modules["torch.utils._device"]._device_constructors()
    originals = set(constructors)
    for _, wrapper in _wrappers():
        if wrapper.__wrapped__ in originals:
            constructors.add(wrapper)
            journal.undo_with(functools.partial(constructors.discard, wrapper))


def _forget_functions() -> None:
    """Have torch ask anew which functions it knows; it keeps the answers by the functions' identity."""
    variables: Any = sys.modules["torch._dynamo.variables.torch"]
    known = [*vars(sys.modules["torch.overrides"]).values(), *vars(variables).values()]
    known.append(getattr(variables.TorchInGraphFunctionVariable, "_get_handlers", None))
    for value in known:
        if isinstance(value, functools._lru_cache_wrapper):
            value.cache_clear()


@patch("dynamo-known-functions", module="torch._dynamo.variables.torch")
def dynamo_known_functions(journal: Journal) -> None:
    """Have `torch.compile` and `torch.overrides` know torchada's functions in the place of torch's, whenever
    they were asked for the first time."""
    _forget_functions()
    journal.undo_with(_forget_functions)


def _stands_for(current: Any, function: Any) -> bool:
    """Whether one was put in the place of the other, as a wrapper or as torch.musa's own."""
    return getattr(current, "__wrapped__", None) is function or getattr(function, "__module__", None) == "torch.cuda"


@patch("dynamo-constants", module="torch._dynamo.variables.torch")
def dynamo_constants(journal: Journal) -> None:
    """Have `torch.cuda.current_device()`, `torch.cuda.is_available()` and the like be constants to
    `torch.compile`, as they are without torchada."""
    variables: Any = sys.modules["torch._dynamo.variables.torch"]
    for name in ("constant_fold_functions", "constant_fold_functions_need_guards"):
        functions = getattr(variables, name, None)
        if isinstance(functions, dict):
            for function in list(functions):
                for module in (torch, torch.cuda):
                    current = getattr(module, getattr(function, "__name__", ""), function)
                    if current not in functions and _stands_for(current, function):
                        journal.item(functions, current, functions[function])


@patch("dynamo-properties", module="torch._dynamo.utils")
def dynamo_properties(journal: Journal) -> None:
    """Have the properties of a device be a constant to `torch.compile`, as those of CUDA's devices are."""
    constants = getattr(sys.modules["torch._dynamo.utils"], "common_constant_types", None)
    if isinstance(constants, set) and DeviceProperties not in constants:
        constants.add(DeviceProperties)
        journal.undo_with(lambda: constants.discard(DeviceProperties))


@patch("dynamo-is-cuda", module="torch._dynamo.variables.tensor")
def dynamo_is_cuda(journal: Journal) -> None:
    """Have `x.is_cuda` be true for MUSA's tensors in compiled functions, too."""
    tensor: Any = sys.modules["torch._dynamo.variables.tensor"]
    original = tensor.TensorVariable.method_attr_is_cuda

    @functools.wraps(original)
    def method_attr_is_cuda(self: Any, tx: Any) -> Any:
        if self.device is not None and self.device.type == "musa":
            return tensor.ConstantVariable.create(True)
        return original(self, tx)

    journal.set(tensor.TensorVariable, "method_attr_is_cuda", method_attr_is_cuda)


@patch("inductor-cache", module="torch._inductor.codecache")
def inductor_cache(journal: Journal) -> None:
    """Have Inductor's caches tell MUSA devices and the versions of their software apart, where torch looks
    for the names of NVIDIA's and AMD's only, or ends with an AttributeError."""
    codecache: Any = sys.modules["torch._inductor.codecache"]
    original = codecache.CacheBase.get_system

    @functools.lru_cache(None)
    def get_system() -> dict[str, Any]:
        try:
            system = dict(original())
        except AttributeError:
            system = {"version": {"triton": _triton(codecache)}}
        if "device" not in system:
            system["device"] = {"name": torch.musa.get_device_name()}
            system["version"] = {**system.get("version", {}), "musa": torch.version.musa}  # type: ignore[attr-defined]
            system.pop("hash", None)
            system["hash"] = hashlib.sha256(json.dumps(system, sort_keys=True).encode()).hexdigest()
        return system

    journal.set(codecache.CacheBase, "get_system", staticmethod(get_system))


def _triton(codecache: Any) -> Any:
    """What Inductor tells versions of Triton apart by."""
    try:
        if hasattr(codecache, "triton_key"):
            return codecache.triton_key()
        from triton.compiler.compiler import triton_key

        return triton_key()
    except ImportError:
        return None


@patch("inductor-autotune", module="torch._inductor.autotune_process")
def inductor_autotune(journal: Journal) -> None:
    """Have the processes in which Inductor measures kernels be given their device by `MUSA_VISIBLE_DEVICES`."""
    module: Any = sys.modules["torch._inductor.autotune_process"]
    variable = "MUSA_VISIBLE_DEVICES"
    if hasattr(module, "CUDA_VISIBLE_DEVICES"):
        journal.set(module, "CUDA_VISIBLE_DEVICES", variable)
    by_kind = getattr(module, "_visible_device_env_var_maps", None)
    if isinstance(by_kind, dict):
        for kind in ("cuda", "musa"):
            journal.item(by_kind, kind, variable)


def _lookup_with_cuda(module: Any, name: str, journal: Journal) -> None:
    """Have a look-up by template, type of device and operator find for MUSA what there is for CUDA."""
    original = getattr(module, name)

    @functools.wraps(original)
    def lookup(template: str, device_type: Any, *rest: Any) -> Any:
        found = original(template, device_type, *rest)
        if device_type == "musa" and template.startswith("triton::"):
            # What every device shares is for a device that nobody registered anything for.
            shared = original(template, "", *rest)
            if found is shared:
                return original(template, "cuda", *rest) or found
        return found

    journal.set(module, name, lookup)


@patch("inductor-templates", module="torch._inductor.template_heuristics.registry")
def inductor_templates(journal: Journal) -> None:
    """Have Inductor's Triton templates use CUDA's configurations on MUSA where torch_musa registers none."""
    module: Any = sys.modules["torch._inductor.template_heuristics.registry"]
    if hasattr(module, "get_registered_heuristic_class"):
        _lookup_with_cuda(module, "get_registered_heuristic_class", journal)


@patch("inductor-heuristics", module="torch._inductor.heuristics.registry")
def inductor_heuristics(journal: Journal) -> None:
    """As `inductor-templates`, for newer torch, which has them elsewhere."""
    module: Any = sys.modules["torch._inductor.heuristics.registry"]
    if hasattr(module, "_lookup"):
        _lookup_with_cuda(module, "_lookup", journal)


@patch("inductor-steps", module="torch._inductor.cudagraph_trees")
def inductor_steps(journal: Journal) -> None:
    """Have `torch.compiler.cudagraph_mark_step_begin()` mark the step for torch_musa's graphs, too."""
    trees: Any = sys.modules["torch._inductor.cudagraph_trees"]
    original = trees.mark_step_begin

    @functools.wraps(original)
    def mark_step_begin() -> None:
        original()
        musa: Any = sys.modules.get("torch_musa._inductor.musagraph_trees")
        if musa is not None:
            musa.mark_step_begin()

    journal.set(trees, "mark_step_begin", mark_step_begin)


@patch("flex-attention", module="torch.nn.attention.flex_attention")
def flex_attention(journal: Journal) -> None:
    """Have `flex_attention` take tensors on MUSA devices, as it takes CUDA's."""
    module: Any = sys.modules["torch.nn.attention.flex_attention"]
    original = getattr(module, "_validate_device", None)
    if original is None:
        return

    @functools.wraps(original)
    def validate_device(query: Any, key: Any, value: Any) -> None:
        if query.device.type != "musa":
            original(query, key, value)

    journal.set(module, "_validate_device", validate_device)
