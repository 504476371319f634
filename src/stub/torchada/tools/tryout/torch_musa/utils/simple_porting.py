"""torch_musa's source porter, as far as patches of it need: a replacement of strings, in a copy of a folder."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable

LOGGER = logging.getLogger("SimplePorting")
EXT_REPLACED_MAPPING = {"cuh": "muh", "cu": "mu"}

_DEFAULT_RULE = {"CUDA": "MUSA", "cublas": "mublas", "cuda": "musa", "cudnn": "mudnn", "nccl": "mccl"}


class SimplePorting:
    """Ports one folder into another, which has `_musa` behind its name."""

    def __init__(
        self,
        cuda_dir_path: str,
        ignore_dir_paths: Iterable[str] | None = None,
        mapping_rule: dict[str, str] | None = None,
        drop_default_mapping: bool = False,
        mapping_dir_path: str | None = None,
    ) -> None:
        self.cuda_dir_path = os.path.abspath(cuda_dir_path)
        self.musa_dir_path = self.cuda_dir_path + "_musa"
        self.ignore_dir_paths = [os.path.abspath(path) for path in ignore_dir_paths or ()]
        self._rule = {} if drop_default_mapping else dict(_DEFAULT_RULE)
        self._rule.update(mapping_rule or {})
        self.mapping_rule: list[tuple[str, str]] = []
        self.load_replaced_mapping()

    def load_replaced_mapping(self) -> None:
        """Put the longest names first."""
        self.mapping_rule = sorted(self._rule.items(), key=lambda pair: len(pair[0]), reverse=True)

    def modify_file(self, cuda_filepath: str, musa_filepath: str) -> None:
        """Port one file."""
        with open(cuda_filepath) as file:
            text = file.read()
        for old, new in self.mapping_rule:
            text = text.replace(old, new)
        with open(musa_filepath, "w") as file:
            file.write(text)

    def change_filename(self, name: str) -> str:
        """What a file is called in the port."""
        stem, _, ending = name.rpartition(".")
        return f"{stem}.{EXT_REPLACED_MAPPING.get(ending, ending)}"

    def run(self) -> None:
        """Port the folder."""
        for folder, _, names in os.walk(self.cuda_dir_path):
            if folder in self.ignore_dir_paths:
                continue
            target = os.path.join(self.musa_dir_path, os.path.relpath(folder, self.cuda_dir_path))
            os.makedirs(target, exist_ok=True)
            for name in names:
                self.modify_file(os.path.join(folder, name), os.path.join(target, self.change_filename(name)))
