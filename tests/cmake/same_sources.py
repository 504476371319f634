#!/usr/bin/env python3
"""Whether CMake gives a port's targets the sources that it gives those of the original.

    same_sources.py --cmake CMAKE IN OUT [CMAKE_OPTION…]

CMake configures both trees with stand-ins: a language CUDA and its modules for IN, MUSA's modules for OUT, an empty
project for whatever would be downloaded, and every package is found. Its file API lists the sources of each target.
Those of the original that CUDA's language takes have to be those of the port that are compiled as MUSA's, and all
others have to be the same, with MUSA's endings.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
AS_MUSA = re.compile(r"-x ?musa|-xc\+\+")
AS_CUDA = "-xcuda"


def build_files(tree):
    """The texts of a tree's CMake files, without comments."""
    for path in sorted(tree.rglob("*")):
        if path.name == "CMakeLists.txt" or path.suffix == ".cmake":
            if ".torchada" not in path.parts and path.is_file():
                yield re.sub(r"(?m)#.*$", "", path.read_text(errors="replace"))


def targets_of_packages(tree):
    """The targets with a namespace that the tree uses and does not make."""
    used, made = set(), set()
    for text in build_files(tree):
        used.update(re.findall(r"\b[A-Za-z]\w*(?:::[A-Za-z]\w*)+", text))
        made.update(re.findall(r"(?i)add_library\s*\(\s*([\w:]+)\s+ALIAS\b", text))
    return sorted(used - made)


def downloads(tree, folder):
    """Options that put an empty project in the place of what the tree would download."""
    options = []
    for text in build_files(tree):
        for name, rest in re.findall(r"(?is)FetchContent_Declare\s*\(\s*([\w.-]+)(.*?)\)", text):
            if "SOURCE_DIR" in rest:
                continue
            stub = folder / name
            stub.mkdir(parents=True, exist_ok=True)
            lists = f"if(NOT TARGET {name})\n  add_library({name} STATIC stand_in.cpp)\nendif()\n"
            (stub / "stand_in.cpp").touch()
            (stub / "CMakeLists.txt").write_text(lists)
            options.append(f"-DFETCHCONTENT_SOURCE_DIR_{name.upper()}={stub}")
    return options


def configured(cmake, tree, modules, options):
    """The sources of each target: all of them, and those that a compiler of GPUs gets."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        build = scratch / "build"
        query = build / ".cmake/api/v1/query"
        query.mkdir(parents=True)
        (query / "codemodel-v2").touch()
        command = [
            cmake, "-S", str(tree), "-B", str(build), "-G", "Unix Makefiles", "-Wno-dev",
            f"-DCMAKE_MODULE_PATH={';'.join(map(str, modules))}",
            f"-DSTAND_IN_MODULES={';'.join(map(str, modules))}",
            f"-DSTAND_IN_TARGETS={';'.join(targets_of_packages(tree))}",
            f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={HERE / 'top.cmake'}",
            *downloads(tree, scratch / "downloads"), *options,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{tree}: CMake stops\n{done.stdout[-4000:]}{done.stderr[-8000:]}")
        reply = build / ".cmake/api/v1/reply"
        index = json.loads(max(reply.glob("index-*.json")).read_text())
        model = next(one for one in index["objects"] if one["kind"] == "codemodel")
        model = json.loads((reply / model["jsonFile"]).read_text())
        found = {}
        for target in model["configurations"][0]["targets"]:
            target = json.loads((reply / target["jsonFile"]).read_text())
            groups = target.get("compileGroups", [])
            sources, for_gpu = set(), set()
            for source in target.get("sources", []):
                name = source["path"].replace(str(build), "<build>").replace(str(scratch), "<scratch>")
                sources.add(name)
                if "compileGroupIndex" not in source:
                    continue
                group = groups[source["compileGroupIndex"]]
                flags = " ".join(part["fragment"] for part in group.get("compileCommandFragments", []))
                if group["language"] == "CUDA" or AS_CUDA in flags or AS_MUSA.search(flags):
                    for_gpu.add(name)
            found[target["name"]] = (sources, for_gpu)
        return found


def renamed(name):
    """A name with MUSA's ending."""
    return re.sub(r"\.cu(h?)(\.o)?$", r".mu\1\2", name)


def main():
    """Compare the two trees."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    arguments, options = parser.parse_known_args()
    before = configured(arguments.cmake, arguments.before.resolve(), [HERE / "cuda"], options)
    after = configured(arguments.cmake, arguments.after.resolve(), [HERE], options)
    faults = 0
    counts = [0, 0]
    for target in sorted(before.keys() | after.keys()):
        all_before, gpu_before = before.get(target, (set(), set()))
        all_after, gpu_after = after.get(target, (set(), set()))
        counts[0] += len(gpu_before)
        counts[1] += len(gpu_after)
        pairs = [
            ("lists", {renamed(one) for one in all_before}, {renamed(one) for one in all_after}),
            ("compiles for GPUs", {renamed(one) for one in gpu_before}, {renamed(one) for one in gpu_after}),
        ]
        for what, old, new in pairs:
            for name in sorted(old - new):
                faults += 1
                print(f"{target} no longer {what}: {name}")
            for name in sorted(new - old):
                faults += 1
                print(f"{target} newly {what}: {name}")
    print(f"{len(before)} targets; {counts[0]} sources for GPUs before, {counts[1]} after; {faults} differences")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
