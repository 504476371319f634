"""`torch.musa` has the names that torch_musa gives it, and no others: a stub must not lean on more."""

from __future__ import annotations

import csv
import importlib
from pathlib import Path

import pytest
import torch

TABLE = Path(__file__).parents[1] / "torch-musa-api.tsv"

#: Names that the double has though the table does not list them as torch_musa's, each with the reason.
MORE = {
    "default_generators": "set by the compiled half of torch_musa (csrc/core/Module.cpp), read by its random.py",
    **dict.fromkeys(
        "BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor "
        "ShortTensor".split(),
        "set by the compiled half of torch_musa (csrc/core/PythonTensor.cpp)",
    ),
}

#: Names of the table that the double leaves out, each with the reason.
FEWER: dict[str, str] = {}

#: Submodules that `import torch_musa` does not import; they become attributes when somebody does.
ON_DEMAND = ("multi_tensor_apply", "optim", "setup_helpers", "testing")

#: Where the names of a submodule of torch.cuda are.
SUBMODULES = {
    "amp": "core.amp",
    "graphs": "musa_graph.graphs",
    "memory": "core.memory",
    "nccl": "core.mccl",
    "random": "core.random",
    "streams": "core.stream",
}


def rows() -> list[tuple[str, str, str]]:
    """Name, state and the name in torch.musa, where the note gives another."""
    found = []
    with open(TABLE, newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            name, note = row["torch_cuda_attribute"], row["note"] or ""
            spelled = note.partition("spelled ")[2].partition(";")[0].rpartition(".")[2]
            found.append((name, row["in_torch_musa"], spelled or name.rpartition(".")[2]))
    return found


def direct(state: set[str]) -> set[str]:
    """The attributes of the module itself that are in one of these states."""
    return {
        musa for name, is_in, musa in rows() if is_in in state and name.count(".") == 2 and name.startswith("torch.")
    } - {
        "cuda",  # torch.Tensor.cuda and its like
        "is_cuda",
        "cudnn",
    }


def test_the_public_names_are_torch_musas() -> None:
    for name in ON_DEMAND:
        importlib.import_module("torch_musa." + name)
    wanted = {name for name in direct({"yes", "musa-only"}) if not name.startswith("_")}
    have = {name for name in dir(torch.musa) if not name.startswith("_")}
    assert sorted(have - wanted) == sorted(MORE), "the double has more than torch_musa"
    assert sorted(wanted - have) == sorted(FEWER), "the double lacks names of torch_musa"


def test_exceptions_are_of_use() -> None:
    listed = direct({"yes", "musa-only"})
    assert not set(MORE) & listed
    assert set(FEWER) <= listed


def test_private_names_that_torch_musa_has() -> None:
    wanted = {name for name in direct({"yes"}) if name.startswith("_")}
    assert len(wanted) > 8
    assert sorted(name for name in wanted if not hasattr(torch.musa, name)) == []


def test_what_torch_musa_lacks_is_not_there() -> None:
    lacking = direct({"no", "patched"}) - direct({"yes", "musa-only"}) - set(MORE) - {"__all__"}
    assert len(lacking) > 80
    assert sorted(name for name in lacking if hasattr(torch.musa, name)) == []


@pytest.mark.parametrize("cuda_name", SUBMODULES)
def test_names_of_submodules(cuda_name: str) -> None:
    module = importlib.import_module("torch_musa." + SUBMODULES[cuda_name])
    prefix = f"torch.cuda.{cuda_name}."
    states = {musa: state for name, state, musa in rows() if name.startswith(prefix)}
    assert "yes" in states.values()
    wrong = [name for name, state in states.items() if hasattr(module, name) != (state == "yes")]
    assert wrong == []


@pytest.mark.parametrize("kind", ["Stream", "Event"])
def test_methods(kind: str) -> None:
    prefix = f"torch.cuda.{kind}."
    names = [name for full, state, name in rows() if full.startswith(prefix) and state == "yes"]
    assert len(names) > 4
    assert [name for name in names if not callable(getattr(getattr(torch.musa, kind), name, None))] == []
    assert not hasattr(torch.musa.Stream, "cuda_stream")


def test_properties_have_seven_fields() -> None:
    properties = torch.musa.get_device_properties(0)
    fields = {name for name in dir(properties) if not name.startswith("_")}
    assert fields == {
        "name",
        "major",
        "minor",
        "is_multi_gpu_board",
        "is_integrated",
        "multi_processor_count",
        "total_memory",
    }
    with pytest.raises(AttributeError):
        properties.warp_size  # noqa: B018  read, to see that it is not there


def test_torch_is_as_one_without_cuda() -> None:
    assert torch.version.cuda is None
    assert torch.version.musa
    assert not torch.cuda.is_available()
    assert not torch.backends.cuda.is_built()
    assert torch.device("musa").type == torch._C._get_privateuse1_backend_name() == "musa"


def test_attributes_of_torchs_classes() -> None:
    assert torch.ones(1).is_musa is False
    assert torch.ones(1).musa().is_musa is True
    assert torch.ones(1, device="musa").is_cuda is False
    assert next(torch.nn.Linear(1, 1).musa().parameters()).is_musa
    assert torch.ones(1).untyped_storage().musa().is_musa
    assert torch.backends.mudnn.allow_tf32 is False
    with torch.musa.flags(allow_tf32=True):
        assert torch.backends.mudnn.allow_tf32 is True
    assert torch.backends.mudnn.allow_tf32 is False
