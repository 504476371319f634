"""What the operators' table is made of: PyTorch's list of operators, and torch_musa's by release."""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

#: An alias of keys below which every device has a kernel: the one that is made of other operators.
COMPOSITE = ("CompositeImplicitAutograd", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional")

#: The keys of kernels for dense tensors.
DENSE = ("CPU", "CUDA")

#: How torch_musa's C++ registers a kernel without a list.
REGISTERED = re.compile(r'(?:ADVANCED_REGISTER|REGISTER_IMPL)\(\s*aten,\s*PrivateUse1,\s*"([^"]+)"')
BLOCK = re.compile(r"TORCH_LIBRARY_IMPL\(aten, PrivateUse1, m\) \{(.*?)^\}", re.MULTILINE | re.DOTALL)
IMPL = re.compile(r'm\.impl\(\s*(?:TORCH_SELECTIVE_NAME\(\s*)?"(?:aten::)?([^"]+)"')


@dataclass
class Entry:
    """An operator of a list: what its keys hold, as text, and its kernels by dispatch key."""

    name: str
    keys: dict[str, str] = field(default_factory=dict)
    dispatch: dict[str, str] = field(default_factory=dict)

    @property
    def base(self) -> str:
        """The name without its overload."""
        return self.name.partition(".")[0]

    def has(self, keys: tuple[str, ...]) -> bool:
        return any(key in self.dispatch for key in keys)


def entries(text: str) -> dict[str, Entry]:
    """The entries of a list that is written as PyTorch writes it, a small part of YAML."""
    found: dict[str, Entry] = {}
    entry, in_dispatch = None, False
    for line in text.splitlines():
        line = line.split(" #")[0].rstrip()
        if line.startswith("- func:"):
            func = line.removeprefix("- func:").strip()
            entry = Entry(func.partition("(")[0], {"func": func})
            found[entry.name] = entry
            in_dispatch = False
            continue
        key, colon, value = line.strip().partition(":")
        indent = len(line) - len(line.lstrip())
        if entry is None or not colon or key.startswith("#"):
            continue
        if indent == 2:
            in_dispatch = key == "dispatch"
            entry.keys[key] = value.strip()
        elif in_dispatch and indent == 4:
            for one in key.split(","):
                entry.dispatch[one.strip()] = value.strip()
    return found


def torch_list(packages: Path) -> dict[str, Entry]:
    """PyTorch's operators, from the folder of an installation."""
    path = packages / "torchgen/packaged/ATen/native/native_functions.yaml"
    return entries(path.read_text(encoding="utf-8"))


def torch_version(packages: Path) -> str:
    line = (packages / "torch/version.py").read_text(encoding="utf-8")
    return re.search(r"__version__ = '([0-9.]+)", line)[1]


class Repository:
    """A clone of torch_musa."""

    LIST = "torch_musa/csrc/aten/ops/musa_functions.yaml"

    def __init__(self, folder: Path):
        self.folder = folder

    def git(self, *words: str) -> str:
        run = subprocess.run(["git", "-C", str(self.folder), *words], capture_output=True, text=True, check=False)
        return run.stdout

    def releases(self) -> list[str]:
        """The numbers of its releases, oldest first."""
        tags = re.findall(r"^v(\d+\.\d+\.\d+)$", self.git("tag"), re.MULTILINE)
        return sorted(tags, key=lambda tag: [int(part) for part in tag.split(".")])

    def commit(self, release: str) -> str:
        return self.git("rev-parse", f"v{release}^{{commit}}").strip()[:12]

    def kernels(self, release: str, torch: dict[str, Entry]) -> set[str]:
        """The operators with a kernel of its own for a tensor of the device."""
        listed = entries(self.git("show", f"v{release}:{self.LIST}"))
        found = {name for name, entry in listed.items() if is_kernel(entry, torch.get(name))}
        for path in self.git("grep", "-l", "PrivateUse1", f"v{release}", "--", "torch_musa").splitlines():
            text = self.git("show", path)
            found.update(REGISTERED.findall(text) if path.endswith((".cpp", ".mu", ".cu")) else [])
            for block in BLOCK.findall(text) if path.endswith((".cpp", ".mu", ".cu")) else []:
                found.update(IMPL.findall(block))
        return found


def is_kernel(entry: Entry, torch: Entry | None) -> bool:
    """Whether torch_musa's generator makes a kernel of an entry: one that is named, or PyTorch's structured one."""
    if "PrivateUse1" in entry.dispatch:
        return True
    if entry.dispatch:
        # one of sparse or nested tensors counts where PyTorch has no other
        keys = ("Sparse", "Nested", "Quantized")
        return torch is not None and all(key.startswith(keys) for key in torch.dispatch)
    return torch is not None and any(key in torch.keys for key in ("structured", "structured_delegate"))
