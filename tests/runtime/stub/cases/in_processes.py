"""Processes of a program: what a forked and a spawned one find, what goes between them, and what they may do.

It prints a line for each case that holds, with its name.
"""

from __future__ import annotations

import os
import pickle
import warnings
from typing import Any

import torchada  # before torch, since the devices that CUDA_VISIBLE_DEVICES leaves are chosen at the first use

# isort: split
import torch
import torch.multiprocessing as mp
from torch.utils.data import DataLoader, Dataset

warnings.simplefilter("ignore")


def seen_by_process() -> dict[str, Any]:
    """What any process finds."""
    return {
        "patched": torchada.is_patched(),
        "device": torch.device("cuda:1"),
        "count": torch.cuda.device_count(),
        "visible": os.environ.get("MUSA_VISIBLE_DEVICES"),
    }


EXPECTED = {"patched": True, "device": torch.device("musa:1"), "count": 2, "visible": "0,1"}


def refused(call: Any) -> str:
    """What the error says; nothing if there is none."""
    try:
        call()
    except RuntimeError as error:
        return str(error)
    return ""


def child(sent: Any, answers: Any) -> None:
    """A forked process: the parent has used the device, so this one must not."""
    got = sent.get()
    got["shared"].fill_(9)
    same = (got["cpu"].tolist(), got["device"], got["dtype"], got["shared"].is_shared())
    calls = (torch.cuda.init, torch.cuda.cudart)
    answers.put((seen_by_process(), same, torch.cuda._is_in_bad_fork(), [refused(call) for call in calls]))


def forked() -> None:
    """What a forked process gets and may do."""
    torch.ones(1, device="cuda")
    context = mp.get_context("fork")
    sent, answers = context.Queue(), context.Queue()
    shared = torch.zeros(2).share_memory_()
    process = context.Process(target=child, args=(sent, answers))
    process.start()
    sent.put({"cpu": torch.ones(2), "shared": shared, "device": torch.device("cuda:1"), "dtype": torch.float16})
    found, same, bad, errors = answers.get(timeout=60)
    process.join()
    assert process.exitcode == 0 and found == EXPECTED, found
    assert same == ([1.0, 1.0], torch.device("musa:1"), torch.float16, True) and shared.tolist() == [9, 9]
    assert bad and all("spawn" in error for error in errors), errors


class Places(Dataset):
    """A dataset whose workers use the device, as far as they may."""

    def __init__(self) -> None:
        self.device = torch.device("cuda:1")

    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: int) -> dict[str, Any]:
        if torch.cuda._is_in_bad_fork():
            torch.cuda.init()
        x = torch.full((2,), float(index), device="cuda") + torch.ones(2).to(self.device).to("cuda:0")
        return {"x": x.cpu(), **seen_by_process(), "visible": os.environ["MUSA_VISIBLE_DEVICES"]}


def workers_that_were_forked() -> None:
    """A worker that asks for the device says what is wrong."""
    error = refused(lambda: list(DataLoader(Places(), num_workers=1, multiprocessing_context="fork")))
    assert "Cannot re-initialize MUSA in forked subprocess" in error, error


def workers_that_were_spawned() -> None:
    """A worker that uses the device."""
    mp.set_start_method("spawn", force=True)
    assert mp.get_start_method() == "spawn"
    loader = DataLoader(Places(), num_workers=1, batch_size=None, pin_memory=True)
    items = list(loader)
    assert [item["x"].tolist() for item in items] == [[1, 1], [2, 2]]
    assert all(item["x"].is_pinned() for item in items)
    assert {key: items[0][key] for key in EXPECTED} == EXPECTED


def tensors_of_the_device() -> None:
    """torch_musa decides whether memory of the device can go to another process; if not, an error says so."""
    from multiprocessing.reduction import ForkingPickler

    x = torch.ones(2, device="cuda:1")
    error = refused(lambda: pickle.loads(ForkingPickler.dumps(x)))
    assert "pickle" in error or not error
    # By value it goes everywhere.
    assert pickle.loads(pickle.dumps(x)).device == x.device
    assert torch.cuda.ipc_collect() is None


if __name__ == "__main__":
    for case in (forked, workers_that_were_forked, workers_that_were_spawned, tensors_of_the_device):
        case()
        print(case.__name__, flush=True)
