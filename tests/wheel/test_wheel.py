"""What is in the wheel, and what an environment has that it is installed in."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import conftest
from conftest import Machine

ROOT = Path(__file__).resolve().parents[2]


def test_what_is_in_it() -> None:
    with zipfile.ZipFile(conftest.WHEEL) as wheel:
        names = wheel.namelist()
        [info] = {name.split("/")[0] for name in names if ".dist-info/" in name}
        metadata = Parser().parsestr(wheel.read(f"{info}/METADATA").decode())
        licence = wheel.read(f"{info}/licenses/LICENSE")
    for name in ("torchada/__init__.py", "torchada/py.typed", "torchada/cmake/torchadaConfig.cmake"):
        assert name in names
    assert not [name for name in names if "__pycache__" in name or name.endswith((".rs", "ruff.toml"))]
    assert licence == (ROOT / "LICENSE").read_bytes()
    assert metadata["Name"] == "torchada-port"
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.9"
    assert metadata["Requires-Dist"] is None
    assert "Typing :: Typed" in metadata.get_all("Classifier", [])
    # One wheel for every Python.
    assert "-py3-none-" in conftest.WHEEL.name


def test_program_and_package(installed: Machine) -> None:
    assert shutil.which("cargo", path=installed.variables["PATH"]) is None
    printed = installed.run("torchada", "--version")
    number = installed.run(installed.python, "-c", "import torchada; print(torchada.__version__)").strip()
    assert printed.startswith(f"torchada {number} (tables ")
    assert installed.run(installed.python, "-m", "torchada", "--version") == printed
    # The manifest of a port names the same tables.
    place = installed.root / "port"
    conftest.write(place, {"k.cu": "int a = cudaFree(0);\n"})
    installed.run(installed.python, "-m", "torchada", "port", place, "-o", installed.root / "ported", "--quiet")
    assert printed.split()[-1].rstrip(")") in (installed.root / "ported/.torchada/manifest.json").read_text()


def test_the_import_is_harmless_without_torch_and_musa(installed: Machine) -> None:
    code = "import torchada, sys; print(torchada.is_patched(), 'torch' in sys.modules)"
    assert installed.run(installed.python, "-W", "error", "-c", code) == "True False\n"


def adapter(place: Path) -> Path:
    """A wheel with the name, and of its files the first, of the adapter on the package index."""
    info = "torchada-0.1.103.dist-info"
    files = {
        "torchada/__init__.py": "ADAPTER = True\n",
        "torchada/_patch.py": "",
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: torchada\nVersion: 0.1.103\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{name},,\n" for name in (*files, f"{info}/RECORD"))
    path = place / "torchada-0.1.103-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in {**files, f"{info}/RECORD": record}.items():
            wheel.writestr(name, text)
    return path


def test_the_adapter_of_the_same_name_is_told_apart(installed: Machine, project: Path, tmp_path: Path) -> None:
    """pip lets both be installed; whichever came last, no build goes on, and each place says what to remove."""
    wheel = adapter(tmp_path)
    setuptools = next((conftest.TOOLS / "wheelhouse").glob("setuptools-*.whl"))
    for order in ([wheel, conftest.WHEEL], [conftest.WHEEL, wheel]):
        place = tmp_path / ("over" if order[0] is wheel else "under")
        python = conftest.environment(place, setuptools) / "bin" / "python"
        for each in order:
            conftest.pip("--python", python, "install", "--no-index", "--no-deps", each)
        remove = f"`{python} -m pip uninstall torchada torchada-port`"
        if order[1] is conftest.WHEEL:
            printed = installed.run(python, "-c", "import torchada")
            assert "distribution torchada 0.1.103" in printed and remove in printed
        for code in ("import torchada.build", "from torchada.utils import _porter; _porter.port(['k.cu'], [], 'out')"):
            printed = installed.run(python, "-c", code, code=1)
            last = printed.splitlines()[-1]
            assert last.endswith(f"{remove}, then `{python} -m pip install torchada-port`."), last
        printed = installed.run(python, "setup.py", "build_ext", "--inplace", cwd=project, code=1)
        assert remove in printed and not [*project.glob("build")]
        port = next(python.parents[1].glob("lib/python*/site-packages/torchada/cmake/port.py"))
        assert remove in installed.run(python, port, "wanted", code=1)
        printed = installed.run(python.parent / "torchada", "doctor", "--python", python, code=1)
        assert "DOC045" in printed and "pip uninstall torchada torchada-port" in " ".join(printed.split())


def test_the_adapter_in_another_folder_is_named(installed: Machine, tmp_path: Path) -> None:
    conftest.pip("install", "--no-index", "--no-deps", "--target", tmp_path / "other", adapter(tmp_path))
    code = "import sys; sys.path.append(sys.argv[1]); import torchada; print(torchada.__version__)"
    printed = installed.run(installed.python, "-c", code, tmp_path / "other")
    assert f"{tmp_path}/other has another package torchada" in printed
    assert f"Remove it: `{installed.python} -m pip uninstall torchada`" in printed
    # A port brings a copy of its own, which comes first wherever the port is run.
    [package] = installed.root.glob("lib/python*/site-packages/torchada")
    shutil.copytree(package, tmp_path / "port" / "torchada")
    bare = conftest.environment(tmp_path / "bare") / "bin" / "python"
    assert "another package" not in installed.run(bare, "-c", code, tmp_path / "other", cwd=tmp_path / "port")


def test_exit_codes_come_through(installed: Machine) -> None:
    installed.run(installed.python, "-m", "torchada", "map", "cudaNoSuchThing", code=1)
    printed = installed.run(installed.python, "-m", "torchada", "nonsense", code=2)
    assert "nonsense" in printed


def test_the_program_is_found_beside_the_package(installed: Machine, tmp_path: Path) -> None:
    code = "import torchada.utils._binary as binary; print(binary.find())"
    own = installed.run(installed.python, "-c", code, PATH=conftest.SYSTEM).strip()
    assert own == str(installed.root / "bin" / "torchada")
    target = tmp_path / "target"
    conftest.pip("install", "--no-index", "--no-deps", "--target", target, conftest.WHEEL)
    found = installed.run("/usr/bin/env", shutil.which("python3") or "python3", "-c", code, PYTHONPATH=str(target))
    assert found.strip() == str(target / "bin" / "torchada")
    named = installed.run(installed.python, "-c", code, TORCHADA_BINARY="/bin/true").strip()
    assert os.path.samefile(named, "/bin/true")


def test_a_program_that_is_not_there_is_asked_for(installed: Machine, tmp_path: Path) -> None:
    # The package as a port writes it: no installer has put a program anywhere.
    [package] = installed.root.glob("lib/python*/site-packages/torchada")
    shutil.copytree(package, tmp_path / "torchada")
    bare = tmp_path / "bare"
    conftest.environment(bare)
    # Nor has this machine's owner: the system's folders may hold a program of that name.
    nowhere = str(tmp_path / "nowhere")
    printed = installed.run(bare / "bin/python", "-m", "torchada", "map", "x", cwd=tmp_path, code=2, PATH=nowhere)
    assert "Install it" in printed and "TORCHADA_BINARY" in printed
    assert "Traceback" not in printed


def test_the_source_distribution_has_what_the_build_needs(tmp_path: Path) -> None:
    command = [conftest.TOOLS / "bin" / "maturin", "sdist", "-o", tmp_path]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [path] = tmp_path.glob("torchada_port-*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    needed = {name for name in tracked if name.startswith(("src/", "mappings/"))}
    # A link is packed as what it leads to.
    link = "src/mapping/mappings"
    needed = needed - {link} | {f"src/mapping/{name}" for name in needed if name.startswith("mappings/")}
    needed |= {"build.rs", "Cargo.toml", "Cargo.lock", "pyproject.toml", "LICENSE", "README.md", "PKG-INFO"}
    assert needed <= names, sorted(needed - names)
    assert not [name for name in names if name.startswith(("fixtures/", "tests/"))]
