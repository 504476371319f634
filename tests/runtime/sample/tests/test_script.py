import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import train
from glow import pick_device

ROOT = Path(__file__).resolve().parents[1]


def run(*arguments, **variables):
    return subprocess.run(
        [sys.executable, "train.py", *arguments],
        cwd=ROOT,
        env={**os.environ, **variables},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def test_the_script_trains(tmp_path, capsys):
    train.main(["--epochs", "1", "--profile", "--checkpoint", str(tmp_path / "glow.pt")])
    device = "CPU" if pick_device().type == "cpu" else "GPU"
    assert capsys.readouterr().out.rstrip().endswith(f"trained on the {device}")
    assert (tmp_path / "glow.pt").is_file()


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_the_script_sees_the_devices_that_it_is_given():
    printed = run("--device", "cuda:0", "--epochs", "0", CUDA_VISIBLE_DEVICES="1")
    assert "of 1 visible: [1]" in printed
