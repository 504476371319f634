"""Importing the stub: what it changes, what it leaves, and taking it back. Each case is a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torchada
import warm

STUB = str(Path(torchada.__file__).parents[1])

#: Everything that a module or class of torch's holds, by identity, and what else the stub may touch.
SNAPSHOT = """
import ctypes, os, sys
def snapshot():
    state = {}
    for name in sorted(sys.modules):
        if name.split('.')[0] not in ('torch', 'torch_musa', 'ctypes', 'functorch'):
            continue
        for key, value in list(vars(sys.modules[name]).items()):
            if key == '__warningregistry__':
                continue
            state[name, key] = value
            if issubclass(type(value), type):
                for inner, thing in list(vars(value).items()):
                    state[name, key, inner] = thing
    state.update({('environ', key, value): True for key, value in os.environ.items()})
    state.update({('meta_path', number): value for number, value in enumerate(sys.meta_path)})
    return state
def differing(before, after):
    # a module that is imported later brings names of its own, to the module that it is in as well
    known = {key[0] for key in before}
    return sorted(
        str(key) for key in {*before, *after}
        if key[0] in known and before.get(key) is not after.get(key) and '.'.join(key[:2]) not in sys.modules
    )
"""


def printed_by(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stderr
    return done.stdout.strip() + done.stderr.strip()


#: How Python is called for a program: what warns of names that are taken too early is shown.
PYTHON = ["-W", "always::RuntimeWarning", "-c"]


def run(code: str, **variables: str) -> str:
    """What a program prints that imports torch first, or does not mind whether it is there."""
    return printed_by(warm.run([*PYTHON, code], env={**os.environ, **variables}))


def run_anew(code: str, **variables: str) -> str:
    """What a program prints to which it matters when torch is imported, or by whom."""
    environment = {**os.environ, **variables}
    line = [sys.executable, *PYTHON, code]
    return printed_by(subprocess.run(line, env=environment, capture_output=True, text=True))


def test_nothing_changes_without_musa() -> None:
    code = SNAPSHOT + "import torch; before = snapshot()\nimport torchada\nprint(differing(before, snapshot()))"
    assert run(code, PYTHONPATH=STUB) == "[]"


def test_the_platform_without_musa() -> None:
    code = """
import sys, torchada
print('torch' in sys.modules, torchada.detect_platform(), torchada.get_device_name(), torchada.is_cpu_platform(), torchada.is_patched())
import torch
print(torch.device('cuda:0'), torchada.is_gpu_device('cuda:1'), torchada.is_gpu_device(torch.ones(1)))
"""
    assert run_anew(code, PYTHONPATH=STUB) == "False Platform.CPU cpu True True\ncuda:0 True False"


def test_everything_is_put_back() -> None:
    code = (
        SNAPSHOT
        + """
import torch, torch_musa, torch.distributed, torch.utils.cpp_extension, torch.cuda.comm, torch.cuda.nccl
torch.utils.cpp_extension.BuildExtension  # newer versions make it when it is first asked for
before = snapshot()
import torchada
assert torch.device('cuda').type == 'musa' and torch.empty(1, device='cuda').is_cuda
torchada.unpatch()
print(differing(before, snapshot()))
print(torch.device('cuda').type, torchada.is_patched())
torchada.apply_patches()
print(torch.device('cuda').type, torchada.is_patched())
"""
    )
    assert run(code) == "[]\ncuda False\nmusa True"


def test_what_is_imported_later_is_put_back() -> None:
    code = """
import sys, torchada, torch
from torch.nn.attention import flex_attention
print(flex_attention._validate_device.__code__.co_filename.endswith('flex_attention.py'))
torchada.unpatch()
print(flex_attention._validate_device.__code__.co_filename.endswith('flex_attention.py'))
print([finder for finder in sys.meta_path if 'torchada' in type(finder).__module__])
"""
    assert run(code) == "False\nTrue\n[]"


def test_a_patch_that_fails_leaves_nothing() -> None:
    code = (
        SNAPSHOT
        + """
import torch, torch_musa
# what a torch of the future might be like: no function, so that wrapping it fails
torch.normal = type('Odd', (), {'__name__': property(lambda self: 1 / 0)})()
before = snapshot()
try:
    import torchada
except RuntimeError as error:
    print(error)
print(differing(before, snapshot()))
"""
    )
    printed = run(code)
    assert "torchada's patch 'factories' failed" in printed
    assert "TORCHADA_DISABLE=factories" in printed
    assert printed.endswith("[]")


def test_a_patch_can_be_left_out() -> None:
    code = "import torchada, torch; print(torch.device('cuda').type, torch.ones(1).to('cuda').is_cuda)"
    assert run(code, TORCHADA_DISABLE="device, tensor-is-cuda") == "cuda False"


def test_a_wrong_name_of_a_patch_is_told() -> None:
    assert "TORCHADA_DISABLE names no patch: devise" in run("import torchada", TORCHADA_DISABLE="devise")


@pytest.mark.parametrize("autoload", ["0", "1"])
@pytest.mark.parametrize(
    "order", ["import torchada, torch", "import torch, torchada", "import torch_musa, torchada, torch"]
)
def test_any_order_of_imports(order: str, autoload: str) -> None:
    code = f"{order}\nprint(torch.empty(1, device='cuda').device)"
    start = run_anew if autoload == "1" else run
    assert start(code, TORCH_DEVICE_BACKEND_AUTOLOAD=autoload) == "musa:0"


def test_imported_behind_the_usual_gate() -> None:
    code = """
import torch
if getattr(torch.version, "musa", None):
    import torchada
print(torch.empty(1, device="cuda").device, torch.cuda.is_available(), torch.version.cuda)
"""
    assert run(code) == "musa:0 False None"


def test_availability_can_be_forced() -> None:
    code = "import torchada, torch; print(torch.cuda.is_available())"
    assert run(code, TORCHADA_FORCE_CUDA_AVAILABLE="1") == "True"


def test_names_taken_too_early_are_told() -> None:
    printed = run("from torch.cuda import synchronize\nimport torchada")
    assert "__main__.synchronize (torch.cuda.synchronize)" in printed
    assert "Import torchada before" in printed


def test_visible_devices() -> None:
    code = "import torchada, torch, os; print(torch.cuda.device_count(), os.environ['MUSA_VISIBLE_DEVICES'])"
    assert run(code, CUDA_VISIBLE_DEVICES="1") == "1 1"


def test_visible_devices_of_musa_go_first() -> None:
    code = "import torchada, os; print(os.environ['CUDA_VISIBLE_DEVICES'], os.environ['MUSA_VISIBLE_DEVICES'])"
    assert run(code, CUDA_VISIBLE_DEVICES="1", MUSA_VISIBLE_DEVICES="0") == "0 0"


def test_a_child_has_the_devices_that_its_parent_gave_it() -> None:
    parent = "import json, os, torchada; print(json.dumps(dict(os.environ)))"
    child = "import torchada, torch, os; print(torch.cuda.device_count(), os.environ['MUSA_VISIBLE_DEVICES'])"
    for name in ("CUDA_VISIBLE_DEVICES", "MUSA_VISIBLE_DEVICES"):
        inherited = json.loads(run(parent, **{name: "0,1"}))
        assert run(child, **{**inherited, "CUDA_VISIBLE_DEVICES": "1"}) == "1 1"
        assert run(child, **inherited) == "2 0,1"


def test_another_copy_takes_over() -> None:
    code = """
import sys, torch, torchada
for name in [name for name in sys.modules if name.split('.')[0] == 'torchada']:
    del sys.modules[name]
import torchada
print(torch.device('cuda').type, torch.empty(1, device='cuda').device)
torchada.unpatch()
print(torch.device('cuda').type)
"""
    assert run(code) == "musa musa:0\ncuda"


def test_a_torch_musa_that_cannot_start_is_told(tmp_path: Path) -> None:
    (tmp_path / "torch_musa.py").write_text("raise OSError('libmusart.so: cannot open shared object file')\n")
    printed = run(
        "import torchada; print(torchada.is_patched())",
        PYTHONPATH=f"{tmp_path}{os.pathsep}{STUB}",
        TORCH_DEVICE_BACKEND_AUTOLOAD="0",
    )
    assert "torchada patches nothing, because torch_musa can't be imported: OSError: libmusart.so" in printed


def test_the_self_check() -> None:
    done = warm.run(["-m", "torchada"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 devices" in done.stdout


def test_the_self_check_without_musa() -> None:
    done = warm.run(["-m", "torchada"], env={**os.environ, "PYTHONPATH": STUB})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "platform: cpu" in done.stdout


@pytest.mark.parametrize("loaded", ["torch", "torch._dynamo, torch_musa"])
def test_dynamo_is_loaded_before_or_after(loaded: str) -> None:
    code = f"""
import {loaded}
import torchada, torch
added = torch.compile(lambda x: x + torch.zeros(3, device='cuda'), backend='aot_eager', fullgraph=True)
print(added(torch.arange(3.0, device='cuda')).tolist())
"""
    assert run(code) == "[0.0, 1.0, 2.0]"
