"""The stub's tables speak of every name of torch.cuda, and lead only to names that torch_musa has."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType

import torch
import warm

FILE = Path(__file__).parents[3] / "src" / "stub" / "torchada" / "_tables.py"

#: Lists the public names of torch.cuda and its submodules, in a Python that has no torch_musa.
LISTING = """
import importlib, json, pkgutil, types
import torch.cuda

def names(module):
    public = getattr(module, "__all__", ())
    for name in dir(module):
        if not name.startswith("_"):
            value = getattr(module, name)
            own = isinstance(value, types.ModuleType) and value.__name__ == f"{module.__name__}.{name}"
            home = getattr(value, "__module__", None)
            at_home = isinstance(home, str) and (home + ".").startswith("torch.cuda.")
            if name in public or own or at_home:
                yield f"{module.__name__}.{name}"

found = set(names(torch.cuda))
for info in pkgutil.walk_packages(torch.cuda.__path__, "torch.cuda."):
    if "._" not in info.name:
        found |= {info.name, *names(importlib.import_module(info.name))}
print(json.dumps(sorted(found)))
"""


def tables() -> ModuleType:
    """The file by itself: importing the package would patch torch."""
    spec = importlib.util.spec_from_file_location("tables_of_the_stub", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def resolve(dotted: str) -> object:
    value: object = sys.modules[dotted.partition(".")[0]]
    for name in dotted.split(".")[1:]:
        value = getattr(value, name)
    return value


def test_every_public_name_of_torch_cuda_has_one_row() -> None:
    listed = warm.run(["-c", LISTING], env={**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"})
    names = json.loads(listed.stdout)
    assert len(names) > 200
    known = tables()
    kinds = (known.FORWARDED, known.KEPT, known.SILENT, known.MISSING, known.OWN)
    assert [name for name in names if sum(name in kind for kind in kinds) != 1] == []


def test_forwarded_names_lead_to_names_that_are_there() -> None:
    lost = []
    for cuda, musa in tables().FORWARDED.items():
        # Of torch_musa's private names the double has those that somebody was seen to use.
        if not musa.rpartition(".")[2].startswith("_"):
            try:
                resolve(musa)
            except AttributeError:
                lost.append((cuda, musa))
    assert lost == []


def test_the_fields_of_device_properties_are_those_that_torch_musa_has() -> None:
    properties = torch.musa.get_device_properties(0)
    have = {name for name in dir(properties) if not name.startswith("_")}
    assert set(tables().DEVICE_FIELDS.values()) == have


def test_every_field_of_cudas_device_properties_is_answered() -> None:
    listed = warm.run(
        ["-c", "import torch; print(*dir(torch._C._CudaDeviceProperties))"],
        env={**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"},
    )
    fields = [name for name in listed.stdout.split() if not name.startswith("_")]
    assert "multi_processor_count" in fields
    known = tables()
    missing = {name.rpartition(".")[2] for name in known.MISSING if "._CudaDeviceProperties." in name}
    kinds = (known.DEVICE_FIELDS, known.DEVICE_ATTRIBUTES, missing)
    assert [name for name in fields if sum(name in kind for kind in kinds) != 1] == []
