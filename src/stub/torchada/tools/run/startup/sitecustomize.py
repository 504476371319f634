"""What Python imports at its start where this folder is in PYTHONPATH: it waits for torch, and costs nothing else."""

import sys


class _Waiting:
    """Asks for the package when torch, torch_musa or the package itself is looked for; imports nothing before."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if path is None and name in ("torch", "torch_musa", "torchada"):
            return _beside("torchada_startup").find(name, target)
        return None


def _beside(name):
    """A module of this folder, wherever the program has led `sys.path` since."""
    if name not in sys.modules:
        from importlib.machinery import PathFinder
        from importlib.util import module_from_spec

        spec = PathFinder.find_spec(name, [_HERE])
        sys.modules[name] = module = module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


def _other():
    """Have the module of this name that would have been imported without this folder take this one's place."""
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec("sitecustomize", [each for each in sys.path if each != _HERE])
    if spec is not None and spec.loader is not None:
        from importlib.util import module_from_spec

        sys.modules["sitecustomize"] = module = module_from_spec(spec)
        spec.loader.exec_module(module)


_HERE = __file__.rpartition("/")[0]
sys.meta_path.insert(0, _Waiting)
_other()
