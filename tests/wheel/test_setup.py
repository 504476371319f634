"""`torchada.build` in projects with a `setup.py`, and in those that have none."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import conftest
from conftest import Machine, contents, pip_wheel, write

#: What the extension answers, by CUDA's own library: its version, and a name of CUDA's.
ASK = "import probe; print(probe.version(), probe.word())"
ANSWER = "13000 cudaErrorInvalidValue"

#: Builds in the project's folder.
BUILD = ("setup.py", "build_ext", "--inplace")


def calls(log: Path) -> int:
    """How often the translator was called."""
    return len(log.read_text().splitlines()) if log.exists() else 0


def test_pip_builds_a_wheel_for_musa(machine: Machine, project: Path, tmp_path: Path) -> None:
    before = contents(tmp_path / "tree")
    wheel = pip_wheel(machine, project, tmp_path)
    own = conftest.environment(tmp_path / "own", wheel)
    assert machine.run(own / "bin/python", "-c", ASK).strip() == ANSWER
    # Ported sources were built, and the project's own stayed as they were.
    [folder] = project.glob("build/temp.*/torchada/probe")
    ported = contents(folder / "musa")
    assert b"musaRuntimeGetVersion" in ported["project/csrc/version.cpp"]
    assert b"musaGetErrorName" in ported["library/include/outside/names.h"]
    assert b'#include "names.h"' in ported["library/include/outside/plain.h"]
    after = contents(tmp_path / "tree")
    assert {name: text for name, text in after.items() if name in before} == before
    keep = os.environ.get("TORCHADA_KEEP")
    if keep:
        shutil.copytree(folder, keep, dirs_exist_ok=True)


def test_a_project_without_a_setup_py(machine: Machine, project: Path, tmp_path: Path) -> None:
    (project / "setup.py").unlink()
    with open(project / "pyproject.toml", "a") as file:
        file.write(
            '[project]\nname = "probe"\nversion = "1.0"\n'
            '[tool.setuptools]\ncmdclass = { build_ext = "torchada.build.build_ext" }\npackages = []\n'
            '[[tool.setuptools.ext-modules]]\nname = "probe"\nlanguage = "c++"\nlibraries = ["cudart"]\n'
            'sources = ["csrc/probe.cpp", "csrc/version.cpp"]\ninclude-dirs = ["include", "../library/include"]\n'
        )
    wheel = pip_wheel(machine, project, tmp_path)
    own = conftest.environment(tmp_path / "own", wheel)
    assert machine.run(own / "bin/python", "-c", ASK).strip() == ANSWER
    [version] = project.glob("build/temp.*/torchada/probe/musa/project/csrc/version.cpp")
    assert "musaRuntimeGetVersion" in version.read_text()


@pytest.mark.parametrize("how", ["cmdclass", "class", "sources"])
def test_nothing_happens_for_nvidia(machine: Machine, project: Path, tmp_path: Path, how: str) -> None:
    """Not even the program is looked for."""
    setup = (project / "setup.py").read_text()
    if how == "class":
        setup = setup.replace("cmdclass=torchada.build.cmdclass()", 'cmdclass={"build_ext": torchada.build.build_ext}')
    elif how == "sources":
        setup = setup.replace('["csrc/probe.cpp", "csrc/version.cpp"],', "SOURCES,")
        asked = 'torchada.build.port_sources(["csrc/probe.cpp", "csrc/version.cpp"], ["include"])'
        setup = setup.replace(
            "\nsetup(", f'\nSOURCES = {asked}\nassert SOURCES == ["csrc/probe.cpp", "csrc/version.cpp"]\nsetup('
        )
        setup = setup.replace("cmdclass=torchada.build.cmdclass(),", "")
    (project / "setup.py").write_text(setup)
    here = {"TORCHADA_PLATFORM": "cuda", "TORCHADA_BINARY": str(tmp_path / "none")}
    machine.run(machine.python, *BUILD, cwd=project, **here)
    assert machine.run(machine.python, "-c", ASK, cwd=project).strip() == ANSWER
    assert not [path for path in project.rglob("*") if "torchada" in path.name]


def test_without_a_platform_nothing_happens_unless_it_is_forced(machine: Machine, tmp_path: Path) -> None:
    code = "import torchada.build as build; print(build.is_wanted(), build.is_wanted(force=True))"
    here = {"MUSA_HOME": str(tmp_path)}
    assert machine.run(machine.python, "-c", code, **here) == "False True\n"
    assert machine.run(machine.python, "-c", code) == "True True\n"
    for variable in ("TORCHADA_FORCE", "FORCE_MUSA"):
        assert machine.run(machine.python, "-c", code, **here, **{variable: "1"}) == "True True\n"
        assert machine.run(machine.python, "-c", code, **here, **{variable: "0"}) == "False True\n"
    # Both compilers are there, and no variable names the platform.
    write(tmp_path / "cuda", {"bin/nvcc": "#!/bin/sh\n"})
    (tmp_path / "cuda/bin/nvcc").chmod(0o755)
    assert machine.run(machine.python, "-c", code, CUDA_HOME=str(tmp_path / "cuda")) == "False True\n"


def test_files_may_lie_otherwise_in_the_next_build(machine: Machine, project: Path) -> None:
    """The innermost folder that has them all is another one where a library's headers go."""
    machine.run(machine.python, *BUILD, cwd=project)
    write(
        project,
        {
            "include/probe/checks.h": """
            #pragma once
            #include <cuda_runtime.h>
            #define PROBE_EXTRA 0
            #define PROBE_NAME(error) cudaGetErrorName(error)
            """
        },
    )
    # setuptools itself looks at whole seconds.
    machine.run(machine.python, *BUILD, "--force", cwd=project)
    assert machine.run(machine.python, "-c", ASK, cwd=project).strip() == ANSWER
    [ported] = project.glob("build/temp.*/torchada/probe/musa")
    sources = {name for name in contents(ported) if not name.startswith(".torchada")}
    assert sources == {"csrc/probe.cpp", "csrc/version.cpp", "csrc/version.h", "include/probe/checks.h"}


def test_only_what_changed_is_done_again(machine: Machine, project: Path, tmp_path: Path) -> None:
    log = tmp_path / "calls"
    program = machine.logging(log)

    def build() -> tuple[int, int]:
        machine.run(machine.python, *BUILD, cwd=project, TORCHADA_BINARY=program)
        [library] = project.glob("probe*.so")
        return calls(log), library.stat().st_mtime_ns

    ported, first = build()
    assert ported == 1
    os.utime(project / "csrc/version.h")
    os.utime(tmp_path / "tree/library/include/outside/names.h")
    assert build() == (1, first)

    [version] = project.glob("build/temp.*/torchada/probe/musa/project/csrc/version.cpp")
    untouched = version.stat().st_mtime_ns
    names = tmp_path / "tree/library/include/outside/names.h"
    names.write_text(names.read_text().replace("cudaGetErrorName(error)", "cudaGetErrorString(error)"))
    ported, second = build()
    assert (ported, second > first) == (2, True)
    assert version.stat().st_mtime_ns == untouched
    printed = machine.run(machine.python, "-c", ASK, cwd=project).strip()
    assert printed == "13000 invalid argument"

    # What a project says of its names counts, too.
    (project / "torchada.toml").write_text('own-names = ["cudaRuntimeGetVersion"]\n')
    assert build()[0] == 3
    assert "cudaRuntimeGetVersion" in version.read_text()
    assert build()[0] == 3


def test_a_run_that_was_stopped_leaves_nothing_in_the_way(machine: Machine, project: Path) -> None:
    machine.run(machine.python, *BUILD, cwd=project)
    [folder] = project.glob("build/temp.*/torchada/probe")
    (folder / "inputs.json").unlink()
    (folder / "musa/project/csrc/version.cpp").write_text("half of a fi")
    (folder / "musa/.torchada/manifest.json").unlink()
    machine.run(machine.python, *BUILD, cwd=project)
    assert "musaRuntimeGetVersion" in (folder / "musa/project/csrc/version.cpp").read_text()


def test_builds_side_by_side_port_once(machine: Machine, project: Path, tmp_path: Path) -> None:
    log = tmp_path / "calls"
    code = (
        "import torchada.build as build\n"
        "made = build.port_sources(['csrc/probe.cpp', 'csrc/version.cpp'], ['include', '../library/include'])\n"
        "print([open(path).read().count('musa') for path in made], made, made.include_dirs)"
    )
    variables = {**machine.variables, "TORCHADA_BINARY": machine.logging(log)}
    command = [machine.python, "-c", code]
    started = [
        subprocess.Popen(command, cwd=project, env=variables, stdout=subprocess.PIPE, text=True) for _ in range(6)
    ]
    printed = {each.communicate()[0] for each in started}
    assert [each.returncode for each in started] == [0] * 6
    assert calls(log) == 1
    assert len(printed) == 1, printed
    [line] = printed
    assert "/" not in line.split("'")[1][:1], f"setuptools takes no absolute paths: {line}"
    assert line.index("musa/project/include") < line.index("'include'")


def test_ported_sources_can_be_given_to_an_extension(machine: Machine, project: Path) -> None:
    setup = """
        import os
        from setuptools import Extension, setup
        import torchada.build

        home = os.environ["MUSA_HOME"]
        sources = torchada.build.port_sources(["csrc/probe.cpp", "csrc/version.cpp"], ["include", "../library/include"])
        extension = Extension(
            "probe",
            sources,
            include_dirs=[*sources.include_dirs, home + "/include"],
            library_dirs=[home + "/lib"],
            libraries=["musart"],
        )
        setup(name="probe", version="1.0", ext_modules=[extension])
        """
    write(project, {"setup.py": setup})
    machine.run(machine.python, "setup.py", "build", cwd=project)
    [built] = project.glob("build/lib.*")
    assert machine.run(machine.python, "-c", ASK, PYTHONPATH=str(built)).strip() == ANSWER
    assert [*project.glob("build/temp.*/build/torchada/probe-*/musa/project/csrc/version.o")]


def test_extensions_are_built_side_by_side(machine: Machine, project: Path) -> None:
    setup = (project / "setup.py").read_text()
    setup = setup.replace("ext_modules=[", 'ext_modules=[Extension("other", ["csrc/other.cpp"], libraries=["cudart"]),')
    write(
        project,
        {
            "setup.py": setup,
            "csrc/other.cpp": """
                #include <Python.h>
                #include <cuda_runtime.h>
                static PyModuleDef module = {PyModuleDef_HEAD_INIT, "other", nullptr, -1, nullptr};
                PyMODINIT_FUNC PyInit_other() { return cudaDriverGetVersion(nullptr) ? PyModule_Create(&module) : nullptr; }
                """,
        },
    )
    machine.run(machine.python, *BUILD, "--parallel", "2", cwd=project)
    assert machine.run(machine.python, "-c", f"import other; {ASK}", cwd=project).strip() == ANSWER


def test_around_a_command_of_the_projects_own(machine: Machine, project: Path) -> None:
    setup = (project / "setup.py").read_text()
    own = """
        from setuptools.command.build_ext import build_ext

        class Mine(build_ext):
            user_options = [*build_ext.user_options, ("loud", None, "")]

            def initialize_options(self):
                super().initialize_options()
                self.loud = False

            def build_extension(self, ext):
                print("mine", self.loud, ext.sources, ext.libraries)
                super().build_extension(ext)
        """
    setup = setup.replace("cmdclass()", 'cmdclass({"build_ext": Mine})')
    write(project, {"own.py": own, "setup.py": "import sys; sys.path.insert(0, '.')\nfrom own import Mine\n" + setup})
    printed = machine.run(machine.python, *BUILD, "--loud", cwd=project)
    [line] = [line for line in printed.splitlines() if line.startswith("mine")]
    assert line.startswith("mine 1 ['build/temp") and line.endswith("['musart']")
    assert machine.run(machine.python, "-c", ASK, cwd=project).strip() == ANSWER


def test_device_sources_and_findings(machine: Machine, tmp_path: Path) -> None:
    """What is found to be an error is shown by the name of the project's own file."""
    write(
        tmp_path / "p",
        {
            "k.cu": '#include "k.cuh"\n__global__ void k() { asm("trap;"); }\nint version = CUDART_VERSION;\n',
            "k.cuh": "#include <cuda_runtime.h>\n",
            "plain.cpp": "int plain;\n",
            "data.pyx": "x = 1\n",
        },
    )
    code = (
        "import torchada.build as build\n"
        "made = build.port_sources(['k.cu', 'plain.cpp', 'data.pyx'], build_dir='out', options=['--rename', '{}'])\n"
        "print('\\n'.join(made))"
    )
    printed = machine.run(machine.python, "-c", code.format("always"), cwd=tmp_path / "p").splitlines()
    assert any(line.startswith(f"{tmp_path}/p/k.cu:3: CPP056: ") for line in printed), printed
    made = printed[-3:]
    assert [Path(path).name for path in made] == ["k.mu", "plain.cpp", "data.pyx"]
    assert '#include "k.muh"' in (tmp_path / "p" / made[0]).read_text()
    printed = machine.run(machine.python, "-c", code.format("never"), cwd=tmp_path / "p").splitlines()
    assert Path(printed[-3]).name == "k.cu"
    assert "musa_runtime.h" in (tmp_path / "p" / printed[-3]).with_name("k.cuh").read_text()


@pytest.mark.parametrize("name", ["cuda", "musa", "inputs.json", ".torchada.lock"])
@pytest.mark.parametrize("kind", ["link to a folder", "link to a file", "pipe"])
def test_a_build_folder_that_came_along_leads_nowhere(machine: Machine, tmp_path: Path, name: str, kind: str) -> None:
    """A port is made anew in it, or refused; nothing is written through it, and nothing waits."""
    kernel = "int a = cudaSuccess;\n"
    tree = write(tmp_path / "p", {"k.cu": kernel})
    outside = write(tmp_path / "outside", {"kept": "mine\n", "k.cu": "mine\n"})
    before = contents(outside)
    code = "import torchada.build as build\nprint(build.port_sources(['k.cu'], build_dir='out')[0])"
    made = machine.run(machine.python, "-c", code, cwd=tree).splitlines()[-1]
    planted = (tree / made).parents[1] / name
    shutil.rmtree(planted) if planted.is_dir() else planted.unlink()
    if kind == "pipe":
        os.mkfifo(planted)
    else:
        planted.symlink_to(outside if kind == "link to a folder" else outside / "kept")
    write(tree, {"k.cu": kernel + "// new\n"})
    refused = name == ".torchada.lock" and kind != "pipe"
    printed = machine.run("/usr/bin/timeout", "60", machine.python, "-c", code, cwd=tree, code=int(refused))
    assert contents(outside) == before
    if refused:
        assert "its lock can't be opened" in printed
    else:
        assert "// new" in (tree / printed.splitlines()[-1]).read_text()


def test_recorded_names_stay_in_the_port(machine: Machine, tmp_path: Path) -> None:
    """What is recorded of the last port counts only for files below it."""
    tree = write(tmp_path / "p", {"k.cu": "int a = cudaSuccess;\n"})
    code = "import torchada.build as build\nprint(build.port_sources(['k.cu'], build_dir='out')[0])"
    made = machine.run(machine.python, "-c", code, cwd=tree).splitlines()[-1]
    stamp = (tree / made).parents[1] / "inputs.json"
    stamp.write_text(stamp.read_text().replace('"k.mu"', '"../../../k.cu"'))
    assert machine.run(machine.python, "-c", code, cwd=tree).splitlines()[-1] == made


def test_names_reach_no_shell(machine: Machine, tmp_path: Path) -> None:
    """A source may be called like a command or an option."""
    names = ["$(touch ran).cu", "`touch ran`.cu", "a;touch ran;.cu", "--output=ran.cu", "it's \"a\".cu"]
    tree = write(tmp_path / "p", {name: "int a = cudaSuccess;\n" for name in names})
    code = f"import torchada.build as build\nprint(*build.port_sources({names!r}, build_dir='out'), sep='\\n')"
    made = machine.run(machine.python, "-c", code, cwd=tree).splitlines()[-len(names) :]
    assert ["musaSuccess" in (tree / path).read_text() for path in made] == [True] * len(names)
    assert sorted(path.name for path in tree.iterdir()) == sorted([*names, "out"])


def test_what_goes_wrong_is_said(machine: Machine, project: Path, tmp_path: Path) -> None:
    here = {"TORCHADA_BINARY": str(tmp_path / "none")}
    printed = machine.run(machine.python, *BUILD, cwd=project, code=1, **here)
    assert f"TORCHADA_BINARY={tmp_path}/none is no program" in printed
    (project / "torchada.toml").write_text("nonsense = 1\n")
    printed = machine.run(machine.python, *BUILD, cwd=project, code=1)
    assert "nonsense" in printed and "exit code 2" in printed
