"""What `torchada.utils._flags.compiler_flags` makes of lists of options, without PyTorch: the package's folder is the
argument, the lists come as JSON. Prints, as JSON, what became of each list and what was reported of it."""

import importlib
import json
import logging
import sys
import types
import warnings
from pathlib import Path

folder = Path(sys.argv[1])
for name, path in [("torchada", folder), ("torchada.utils", folder / "utils")]:
    package = types.ModuleType(name)
    package.__path__ = [str(path)]
    sys.modules[name] = package
flags = importlib.import_module("torchada.utils._flags")

notes: list[str] = []
handler = logging.Handler()
handler.emit = lambda record: notes.append("note")  # type: ignore[method-assign]
logging.getLogger("torchada").addHandler(handler)
logging.getLogger("torchada").setLevel(logging.INFO)

answers = []
for words in json.load(sys.stdin):
    notes.clear()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        answers.append((flags.compiler_flags(words), notes + ["warning"] * len(caught)))
json.dump(answers, sys.stdout)
