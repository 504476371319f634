"""A process of its own: threads import this package at once, it is reloaded, taken back and put on again.

It prints a line for each case that holds, with its name.
"""

from __future__ import annotations

import importlib
import sys
import threading
import traceback
import warnings

warnings.simplefilter("ignore")
sys.setswitchinterval(1e-5)


def at_once(*calls) -> list[BaseException]:
    """Have each call made by a thread of its own, all at the same moment; what they raise."""
    barrier, errors = threading.Barrier(len(calls)), []

    def work(call) -> None:
        barrier.wait()
        try:
            call()
        except BaseException as error:
            traceback.print_exc()
            errors.append(error)

    threads = [threading.Thread(target=work, args=(call,)) for call in calls]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return errors


def first_import() -> None:
    """What a program does first."""
    import torch
    import torchada  # noqa: F401

    assert torch.device("cuda:1").type == "musa"
    assert torch.ones(1, device="cuda").is_cuda and torch.empty(1).cuda().is_cuda


def imported_at_once() -> None:
    """Eight threads begin."""
    assert at_once(*[first_import] * 8) == []


def switched_while_others_work() -> None:
    """Patches go and come under running threads."""
    import torch
    import torchada

    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            torch.device("cuda:1")
            torch.zeros_like(torch.ones(1)).to("cpu")
            torch.nn.Linear(1, 1).to("cpu")
            torch.autocast("cpu")

    def switch() -> None:
        for _ in range(5):
            torchada.unpatch()
            torchada.apply_patches()
        stop.set()

    assert at_once(work, work, work, switch) == []
    assert at_once(*[torchada.unpatch, torchada.apply_patches] * 4) == []
    torchada.apply_patches()
    assert torch.empty(1, device="cuda").is_cuda


def any_order() -> None:
    """Each order of the two, and what lies between them."""
    import torch
    import torchada

    torchada.unpatch()
    original = torch.empty
    torchada.unpatch()
    assert torch.empty is original and torch.device("cuda").type == "cuda"
    torchada.apply_patches()
    torchada.apply_patches()
    ours = torch.empty
    torch.empty = lambda *args, **kwargs: ours(*args, **kwargs)
    torchada.unpatch()
    assert torch.empty is original
    torchada.apply_patches()
    x, device, generator = torch.ones(1, device="cuda"), torch.device("cuda:1"), torch.Generator("cuda")
    stream, model, region = torch.cuda.Stream(), torch.nn.Linear(1, 1).cuda(), torch.autocast("cuda")
    with region, torch.device("cuda"), torch.cuda.stream(stream):
        torchada.unpatch()
        assert (x + 1).item() == 2 and model(x.view(1, 1)).device == x.device and generator.device == x.device
        assert str(device) == "musa:1" and torch.empty(1).device == x.device and not x.is_cuda
        torchada.apply_patches()
        assert torch.empty(1).is_cuda and x.is_cuda
    assert not torch.is_autocast_enabled("cuda") and torch.cuda.current_stream() != stream
    import torch._dynamo
    import torch.distributed

    torchada.unpatch()
    torchada.apply_patches()
    assert torch.compile(lambda x: x.cuda() + 1, backend="eager")(torch.ones(1)).is_cuda
    assert torch.distributed.Backend("nccl") == "mccl"


def reloaded() -> None:
    """Modules that are executed again."""
    import torch
    import torchada

    torchada.unpatch()
    original = torch.empty
    torchada.apply_patches()
    for name in sorted(name for name in sys.modules if name.split(".")[0] == "torchada"):
        importlib.reload(sys.modules[name])
        assert torchada.is_patched() and torch.device("cuda").type == "musa", name
    assert torch.ones(1).to("cuda:1").device == torch.device("musa:1") and torchada.report().patches
    torchada.unpatch()
    assert torch.empty is original and torch.device("cuda").type == "cuda"
    torchada.apply_patches()
    for name in ("torch.cuda.random", "torch.cuda.nvtx"):
        importlib.reload(sys.modules[name])
    torchada.unpatch()
    torchada.apply_patches()
    assert torch.cuda.random.manual_seed is torch.musa.manual_seed


def half_way() -> None:
    """Something goes wrong before all patches are on."""
    import torch
    import torchada
    from torchada import _registry

    torchada.unpatch()
    original, to = torch.empty, torch.Tensor.to
    patch = _registry.PATCHES["ctypes-libraries"]
    for error in (KeyboardInterrupt(), ValueError("odd")):

        def fail(journal, error=error) -> None:
            raise error

        _registry.PATCHES["ctypes-libraries"] = patch._replace(apply=fail)
        try:
            torchada.apply_patches()
        except (KeyboardInterrupt, torchada.PatchError) as raised:
            assert raised is error or "TORCHADA_DISABLE=ctypes-libraries" in str(raised)
        else:
            raise AssertionError("nothing was raised")
        assert torch.empty is original and torch.Tensor.to is to and not torchada.is_patched()
        assert torch.device("cuda").type == "cuda"
    _registry.PATCHES["ctypes-libraries"] = patch
    torchada.apply_patches()
    assert torch.empty(1, device="cuda").is_cuda


def at_the_end() -> None:
    """What is alive when the interpreter ends; the process has to end well and quietly."""
    import atexit

    import torch

    class Late:
        def __init__(self) -> None:
            self.x, self.torch = torch.ones(2, device="cuda"), torch

        def __del__(self) -> None:
            self.x.to("cuda")
            self.torch.empty(1, device="cuda")
            self.torch.device("cuda:1")

    global kept
    kept = [Late(), torch.cuda.Stream(), torch.cuda.Event(), torch.cuda.CUDAGraph(), torch.Generator("cuda")]
    kept.append(kept)
    sys.kept = Late()  # type: ignore[attr-defined]
    atexit.register(lambda: print(torch.ones(1).cuda().device))


if __name__ == "__main__":
    for case in (imported_at_once, switched_while_others_work, any_order, reloaded, half_way, at_the_end):
        case()
        print(case.__name__, flush=True)
