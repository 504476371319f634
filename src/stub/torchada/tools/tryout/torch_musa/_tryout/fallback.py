"""Any operator of the device: the CPU's, on the same memory."""

from __future__ import annotations

import functools
from typing import Any

import torch

from . import devices, generators, graphs, memory
from .mixing import MAY_MIX
from .refusals import refuse

_Tensor = torch.Tensor
_CPU = torch.device("cpu")
aten = torch.ops.aten
_autocast = torch._C.is_autocast_enabled
_AUTOCAST = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastCPU)
_Guard = torch._C._ExcludeDispatchKeyGuard


class Plan:
    """What an operator's schema says of its arguments and results."""

    __slots__ = ("converts", "generator", "mixes", "name", "names", "outputs", "returns", "seeded", "tensors", "writes")

    def __init__(self, op: Any) -> None:
        schema = op._schema
        self.name = schema.name
        self.names = [argument.name for argument in schema.arguments]
        written = {}
        #: Arguments that the operator writes to, and those of them that it may resize.
        self.writes: list[int] = []
        self.outputs: list[str] = []
        #: The argument that is the generator: its name, and its place where it may be given by place.
        self.generator = ""
        #: The places of tensors, where a number may stand, which Python's kernels get as it is.
        self.tensors: list[int] = []
        #: Whether it takes no number there: found out by trying, as torch tells nobody.
        self.converts = False
        for place, argument in enumerate(schema.arguments):
            alias = argument.alias_info
            if alias is not None and alias.is_write:
                written.update(dict.fromkeys(alias.before_set, place))
                self.writes.append(place)
                if argument.is_out:
                    self.outputs.append(argument.name)
            if "Generator" in str(argument.type):
                self.generator = argument.name
            if str(argument.type) == "Tensor":
                self.tensors.append(place)
        #: For each result the argument that it is, or -1.
        self.returns = []
        for result in schema.returns:
            alias = result.alias_info
            places = [written[each] for each in alias.before_set if each in written] if alias is not None else []
            self.returns.append(places[0] if places else -1)
        self.mixes = self.name in MAY_MIX or self.name.startswith(("aten::_foreach", "aten::_fused", "aten::_amp"))
        self.seeded = torch.Tag.nondeterministic_seeded in op.tags and not self.generator


_plans: dict[Any, Plan] = {}


class _Call:
    """The arguments of one call, as the CPU gets them."""

    __slots__ = ("foreign", "index", "plan")

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.index = -1
        #: A tensor of the CPU's among them that is no single number.
        self.foreign = False

    def take(self, value: Any) -> Any:
        if isinstance(value, _Tensor):
            if value.layout is not torch.strided:
                return value
            device = value.device
            if device.type != "musa":
                if value.dim() and device.type == "cpu":
                    self.foreign = True
                return value
            block = memory.blocks.get(value.untyped_storage()._cdata)
            if block is None:
                self.index = device.index
                return memory.borrowed(value)
            if self.index < 0:
                self.index = block.index
            elif block.index != self.index and not self.plan.mixes:
                raise self.mixed(f"musa:{self.index}", f"musa:{block.index}")
            made = memory.host(value, block)
            # Some operators get conjugate and negative views as they are, since their kernels know of them.
            if value.is_conj():
                made = aten._conj.default(made)
            return aten._neg_view.default(made) if value.is_neg() else made
        if type(value) is list or type(value) is tuple:
            for each in value:
                if type(each) is not int:
                    return [self.take(each) for each in value]
        return value

    def mixed(self, one: str, other: str) -> RuntimeError:
        return RuntimeError(
            f"Expected all tensors to be on the same device, but found at least two devices, {one} and {other}! "
            f"(when calling {self.plan.name})"
        )


def fallback(op: Any, *args: Any, **kwargs: Any) -> Any:
    """Run an operator on the CPU, for the device."""
    plan = _plans.get(op)
    if plan is None:
        plan = _plans[op] = Plan(op)
    call = _Call(plan)
    theirs = [call.take(value) for value in args]
    mine = {name: call.take(value) for name, value in kwargs.items()} if kwargs else {}
    if plan.converts:
        for place in plan.tensors:
            if place < len(theirs) and type(theirs[place]) in _NUMBERS:
                theirs[place] = _number(theirs[place], theirs)
    index = call.index
    if call.foreign and index >= 0 and not plan.mixes:
        raise call.mixed(f"musa:{index}", "cpu")
    on_device = True
    device = mine.get("device")
    if device is not None:
        on_device = device.type == "musa"
        if on_device:
            mine["device"] = _CPU
            index = devices.checked(device.index) if device.index is not None else devices.current()
    if index < 0:
        index = devices.current()
    for place in plan.writes:
        _check_written(plan, place, args, kwargs, call)
    if plan.generator:
        generators.give(plan, theirs, mine, index)
    for name in plan.outputs:
        if isinstance(kwargs.get(name), _Tensor):
            mine[name] = aten.empty.memory_format([0], dtype=kwargs[name].dtype, device=_CPU)
    try:
        if plan.seeded:
            with generators.seeded(index):
                result = op(*theirs, **mine)
        elif _autocast("cpu"):
            # that of the CPU is for the program's own tensors there
            with _Guard(_AUTOCAST):
                result = op(*theirs, **mine)
        else:
            result = op(*theirs, **mine)
    except RuntimeError as error:
        if not plan.converts and plan.tensors and "Expected a value of type 'Tensor' for argument" in str(error):
            plan.converts = True
            return fallback(op, *args, **kwargs)
        if isinstance(error, NotImplementedError) and "'CPU' backend" in str(error):
            raise refuse(f"{plan.name}, an operator for which PyTorch has no kernel on the CPU,") from error
        raise
    for name in plan.outputs:
        if isinstance(kwargs.get(name), _Tensor):
            _write(kwargs[name], mine[name])
    made = _results(plan, result, args, kwargs, index if on_device else -1)
    if graphs.capturing():
        graphs.remember(op.name(), functools.partial(fallback, op), args, kwargs, made)
    return made


_NUMBERS = (bool, int, float, complex)


def _number(value: Any, beside: list[Any]) -> torch.Tensor:
    """A number as a tensor that changes no type of the tensors beside it, as a number does not."""
    types = [each.dtype for each in beside if isinstance(each, _Tensor)]
    made = torch.tensor(value, device=_CPU)
    for dtype in types:
        if torch.result_type(torch.empty(1, dtype=dtype, device=_CPU), value) is dtype:
            return torch.tensor(value, dtype=dtype, device=_CPU)
    return made


def sparse(name: str) -> NotImplementedError:
    """The error for what is not dense."""
    return NotImplementedError(
        f"{name}: the device of torchada's try-out has dense tensors only. Make sparse ones on the CPU here."
    )


def _argument(plan: Plan, place: int, args: Any, kwargs: Any) -> Any:
    return args[place] if place < len(args) else kwargs.get(plan.names[place])


def _check_written(plan: Plan, place: int, args: Any, kwargs: Any, call: _Call) -> None:
    """A number of the CPU's goes with every device, but not where it is written to."""
    target = _argument(plan, place, args, kwargs)
    if call.index >= 0 and isinstance(target, _Tensor) and target.device.type == "cpu" and not plan.mixes:
        raise call.mixed(f"musa:{call.index}", "cpu")


def _write(target: torch.Tensor, made: torch.Tensor) -> None:
    """Put a result where the caller wants it, in its size."""
    if target.shape != made.shape:
        if target.numel():
            torch.ops.aten._resize_output_.default(target, list(made.shape), target.device)
        elif made.is_contiguous() or not made.numel():
            aten.resize_.default(target, list(made.shape))
        else:
            # Strides may reach farther than the elements do, as in the first rows of a matrix that lies in columns.
            reach = 1 + sum((size - 1) * stride for size, stride in zip(made.shape, made.stride()))
            aten.resize_.default(target, [reach])
            aten.as_strided_.default(target, list(made.shape), list(made.stride()), 0)
    aten.copy_.default(memory.host_of(target), made)


def _results(plan: Plan, result: Any, args: Any, kwargs: Any, index: int) -> Any:
    returns = plan.returns
    if not returns:
        return result
    if len(returns) == 1:
        return _result(plan, returns[0], result, args, kwargs, index)
    return tuple(_result(plan, place, each, args, kwargs, index) for place, each in zip(returns, result))


def _result(plan: Plan, place: int, value: Any, args: Any, kwargs: Any, index: int) -> Any:
    if place >= 0:
        return _argument(plan, place, args, kwargs)
    if isinstance(value, _Tensor):
        if index >= 0 and value.layout is not torch.strided:
            raise refuse(f"{plan.name} with a sparse result,")
        return memory.adopt(value, index) if index >= 0 else value
    if isinstance(value, (list, tuple)) and index >= 0:
        return [memory.adopt(each, index) if isinstance(each, _Tensor) else each for each in value]
    return value
