"""Test double of torch_musa: the try-out's stand-in, over a lower half that is compiled for a version of torch.

The stand-in lies with the package, the compiled half elsewhere on the path.
"""

from pathlib import Path
from pkgutil import extend_path

_STAND_IN = Path(__file__).resolve().parents[4] / "src/stub/torchada/tools/tryout/torch_musa/__init__.py"

__path__ = [str(_STAND_IN.parent), *extend_path(__path__, __name__)]
# this module is torch.musa, whose names are torch_musa's and no more
del Path, extend_path
exec(compile(_STAND_IN.read_bytes(), str(_STAND_IN), "exec"))
