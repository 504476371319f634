"""TorchScript and FX: devices that are written into graphs, and functions that graphs name."""

from __future__ import annotations

import functools
import sys
from typing import Any

import torch

from .. import _devices, _report
from .._journal import Journal
from .._registry import patch


@patch("script-devices", module="torch.jit._script")
def script_devices(journal: Journal) -> None:
    """Have functions and modules that `torch.jit.script` compiles, or `torch.jit.load` loads, mean the MUSA
    device where they say `"cuda"`, and have `x.is_cuda` be true there for its tensors."""
    scripts: Any = sys.modules["torch.jit._script"]
    count = _report.counter("script-devices", "torch.jit.script")
    compile_one = scripts._script_impl

    @functools.wraps(compile_one)
    def script_impl(*args: Any, **kwargs: Any) -> Any:
        # Names are looked up in the frame of who called `torch.jit.script`, which is one more above.
        if len(args) < 3:
            kwargs["_frames_up"] = kwargs.get("_frames_up", 0) + 1
        return _translate(compile_one(*args, **kwargs), count)

    # The function below `torch.jit.script`, which so stays the same object.
    journal.set(scripts, "_script_impl", script_impl)
    serialization: Any = sys.modules["torch.jit._serialization"]
    load_one = serialization.load
    loaded = _report.counter("script-devices", "torch.jit.load")

    @functools.wraps(load_one)
    def load(*args: Any, **kwargs: Any) -> Any:
        return _translate(load_one(*args, **kwargs), loaded)

    for module in (serialization, torch.jit):
        journal.set(module, "load", load)


def _translate(scripted: Any, count: Any) -> Any:
    """Rewrite the graphs of a compiled function or of a module with everything below it."""
    if isinstance(scripted, torch.jit.ScriptFunction):
        _rewrite(scripted.graph, scripted.graph, count)
    elif isinstance(scripted, torch.jit.ScriptModule):
        for module in scripted.modules():
            native = getattr(module, "_c", None)
            if native is not None:
                for name in native._method_names():
                    graph = native._get_method(name).graph
                    _rewrite(graph, graph, count)
    return scripted


def _rewrite(graph: Any, block: Any, count: Any) -> None:
    for node in list(block.nodes()):
        for inner in node.blocks():
            _rewrite(graph, inner, count)
        if node.kind() == "prim::Constant" and node.output().type().kind() == "DeviceObjType":
            found = _devices.translate_name(node.s("value")) if node.hasAttribute("value") else None
            if found is not None and found != node.s("value"):
                count()
                node.s_("value", found)
        elif node.kind() == "prim::is_cuda":
            count()
            _replace_is_cuda(graph, node)
        elif node.kind() == "aten::cuda":
            count()
            _replace_cuda(graph, node)
        elif node.kind() == "aten::device":
            written = node.inputsAt(0).toIValue()
            found = _devices.translate_name(written)
            if found != written:
                count()
                text = _insert(graph, node, "prim::Constant", [], torch._C.StringType.get(), found)
                node.replaceInput(0, text)


def _replace_is_cuda(graph: Any, node: Any) -> None:
    """Put `x.device.type == "musa"` in the place of `x.is_cuda`."""
    device = _insert(graph, node, "prim::device", [node.input()], torch._C.DeviceObjType.get())
    kind = _insert(graph, node, "prim::type", [device], torch._C.StringType.get())
    name = _insert(graph, node, "prim::Constant", [], torch._C.StringType.get(), "musa")
    equal = _insert(graph, node, "aten::eq", [kind, name], torch._C.BoolType.get())
    node.output().replaceAllUsesWith(equal)
    node.destroy()


def _replace_cuda(graph: Any, node: Any) -> None:
    """Put `x.to("musa")` in the place of `x.cuda()`."""
    device = _insert(graph, node, "prim::Constant", [], torch._C.DeviceObjType.get(), "musa")
    dtype = _insert(graph, node, "prim::Constant", [], torch._C.NoneType.get())
    false = graph.create("prim::Constant", [], 1)
    false.i_("value", 0)
    false.output().setType(torch._C.BoolType.get())
    false.insertBefore(node)
    moved = _insert(
        graph, node, "aten::to", [node.inputsAt(0), device, dtype, false.output(), false.output()], node.output().type()
    )
    node.output().replaceAllUsesWith(moved)
    node.destroy()


def _insert(graph: Any, before: Any, kind: str, inputs: list[Any], type_of: Any, value: str = "") -> Any:
    made = graph.create(kind, inputs, 1)
    if value:
        made.s_("value", value)
    made.output().setType(type_of)
    made.insertBefore(before)
    return made.output()


@patch("fx-names", module="torch.fx.node")
def fx_names(journal: Journal) -> None:
    """Have `torch.fx` find the name of a function of torch in whose place torchada has put its own, so that
    graphs with `torch.zeros(n, device="cuda")` can be written as code."""
    node: Any = sys.modules["torch.fx.node"]
    original = node._find_module_of_method

    @functools.wraps(original)
    def find_module_of_method(orig_method: Any) -> str:
        try:
            return original(orig_method)
        except RuntimeError:
            for module in (torch, torch.nn.functional):
                wrapper = getattr(module, orig_method.__name__, None)
                if getattr(wrapper, "__wrapped__", None) is orig_method:
                    return module.__name__
            raise

    journal.set(node, "_find_module_of_method", find_module_of_method)


@patch("device-class")
def device_class(journal: Journal) -> None:
    """Have TorchScript, FX and `torch.library` know the class `torch.device` that torchada puts in its place
    on interpreters that do not let it be changed in place (Python 3.9)."""
    original = type(torch.empty(0).device)
    if torch.device is original:
        return
    import typing

    from torch._library import infer_schema
    from torch.fx import graph as fx_graph
    from torch.jit._builtins import _get_builtin_table

    journal.item(_get_builtin_table(), id(torch.device), "aten::device")
    builtin = fx_graph._custom_builtins["device"]
    journal.item(fx_graph._custom_builtins, "device", builtin._replace(obj=torch.device))
    for annotation, kind in list(infer_schema.SUPPORTED_PARAM_TYPES.items()):
        if annotation is original:
            journal.item(infer_schema.SUPPORTED_PARAM_TYPES, torch.device, kind)
            journal.item(infer_schema.SUPPORTED_PARAM_TYPES, typing.Optional[torch.device], f"{kind}?")
