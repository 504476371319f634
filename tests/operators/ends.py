"""See in which operators PyTorch's functions end on a device of torch_musa's kind, for `make.py`.

    tests/runtime/with-double --no-stub python tests/operators/ends.py FILE

Each function is called with PyTorch's own samples on the double of torch_musa. FILE gets a line of JSON for each
function and type of its numbers: how many samples ran, and which operators every one of them reached. An operator
that is made of others is followed to these, unless torch_musa has a kernel of it. Needs the package `expecttest`, as
those samples do.
"""

import json
import sys
import tomllib
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
import torch_musa  # noqa: F401
from torch._C import DispatchKey
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.common_modules import module_db
from torch.utils._python_dispatch import TorchDispatchMode

LIST = Path(__file__).resolve().parents[2] / "mappings/operators/list.toml"
KERNELS = {name for names in tomllib.loads(LIST.read_text("utf-8"))["kernels"].values() for name in names}
MADE_OF_OTHERS = (DispatchKey.CompositeExplicitAutograd, DispatchKey.CompositeExplicitAutogradNonFunctional)
TYPES = (torch.float32, torch.int64, torch.complex64, torch.bool)
DEVICE = "musa"


class Recorder(TorchDispatchMode):
    """Notes the operators that have to have a kernel."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
        kwargs = kwargs or {}
        namespace, _, name = func.name().partition("::")
        if namespace == "aten" and name not in KERNELS:
            for key in MADE_OF_OTHERS:
                # the others of a structured operator are made of the one that writes to an argument
                if torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), key):
                    with self:
                        return func._op_dk(key, *args, **kwargs)
        if namespace == "aten":
            self.seen.add(name)
        return func(*args, **kwargs)


def seen(names: list[str], calls: Iterator[Callable[[], object]]) -> list[dict[str, object]]:
    """What all of the calls reach."""
    always: set[str] | None = None
    runs = 0
    while True:
        recorder = Recorder()
        try:
            call = next(calls)
            with recorder:
                call()
        except StopIteration:
            break
        except Exception:  # a sample that the double can't run says nothing
            continue
        runs += 1
        always = recorder.seen if always is None else always & recorder.seen
    return [{"name": name, "runs": runs, "always": sorted(always or ())} for name in names]


def of_functions() -> Iterator[list[dict[str, object]]]:
    for info in op_db:
        names = [f"torch.{name.removeprefix('torch.')}" for name in [info.name, *(one.name for one in info.aliases)]]
        names = [name for name in names if is_there(name)]
        for dtype in [one for one in TYPES if one in info.dtypes][:2] or sorted(info.dtypes, key=str)[:1]:
            try:
                samples = list(info.sample_inputs(DEVICE, dtype))
            except Exception:
                continue
            calls = ((lambda one=one: info.op(one.input, *one.args, **one.kwargs)) for one in samples)
            yield seen(names, calls)


def of_modules() -> Iterator[list[dict[str, object]]]:
    for info in module_db:
        name = f"torch.nn.{info.module_cls.__name__}"
        for training in [True, False] if info.train_and_eval_differ else [True]:
            try:
                samples = info.module_inputs_func(
                    info, device=DEVICE, dtype=torch.float32, requires_grad=False, training=training
                )
            except Exception:
                continue
            if is_there(name):
                yield seen([name], map(forward(info.module_cls, training), samples))


def forward(kind: type[torch.nn.Module], training: bool) -> Callable[[object], Callable[[], object]]:
    def prepared(sample):  # type: ignore[no-untyped-def]
        made, given = sample.constructor_input, sample.forward_input
        module = kind(*made.args, **made.kwargs).to(DEVICE, torch.float32).train(training)
        return lambda: module(*given.args, **given.kwargs)

    return prepared


def is_there(name: str) -> bool:
    found: object = torch
    for part in name.split(".")[1:]:
        found = getattr(found, part, None)
    return found is not None


def main() -> None:
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        for source in (of_functions(), of_modules()):
            for lines in source:
                out.writelines(json.dumps(line) + "\n" for line in lines)
                out.flush()


if __name__ == "__main__":
    main()
