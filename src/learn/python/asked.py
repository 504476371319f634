# What torch and torch_musa have of the names that are asked for. Argument: JSON, a list of lists, each a name of CUDA's
# and the names that its counterpart may have. Modules are imported and attributes looked up; of torch's functions only
# those that list operators are called.
import importlib
import importlib.util
import inspect
import types

MISSING = object()


def imported(name, about):
    """A module, and in `about` what it says of itself or why it can't be imported."""
    try:
        module = importlib.import_module(name)
    except BaseException as error:
        if not (isinstance(error, ModuleNotFoundError) and error.name == name):
            about["fault"] = f"{type(error).__name__}: {error}"
        return None
    about["version"] = str(getattr(module, "__version__", ""))
    about["folders"] = [os.path.abspath(place) for place in getattr(module, "__path__", [])]
    return module


def member(parent, name, is_last):
    # What a class or module defines is taken as it stands: a property is not asked for its value.
    if is_last:
        found = inspect.getattr_static(parent, name, MISSING)
        if found is not MISSING:
            return found
    try:
        return getattr(parent, name)
    except Exception:
        pass
    if isinstance(parent, types.ModuleType) and hasattr(parent, "__path__"):
        try:
            return importlib.import_module(f"{parent.__name__}.{name}")
        except BaseException:
            pass
    return MISSING


def find(name):
    """What a dotted name leads to; what it is looked for in goes into `members` where that lacks it."""
    first, *parts = name.split(".")
    here = roots.get(first)
    if here is None:
        return MISSING
    for at, part in enumerate(parts):
        is_last = at == len(parts) - 1
        found = member(here, part, is_last)
        if found is MISSING:
            if is_last:
                around = name.rpartition(".")[0]
                members[around] = sorted(one for one in dir(here) if not one.startswith("_"))
            return MISSING
        here = found
    return here


def parameters(found):
    """The parameters of a function: name, kind, whether it may be left out. Nothing for all else."""
    found = getattr(found, "__func__", found) if isinstance(found, (staticmethod, classmethod)) else found
    if not inspect.isroutine(found):
        return None
    try:
        listed = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return None
    return [
        {"name": one.name, "kind": one.kind.name, "optional": one.default is not one.empty} for one in listed
    ]


def operators(torch):
    """How many operators torch_musa has kernels of, and which it lacks of those that CUDA, or else the CPU, has."""

    def registered(key):
        return set(torch._C._dispatch_get_registrations_for_dispatch_key(key))

    own, cuda, cpu = registered("PrivateUse1"), registered("CUDA"), registered("CPU")
    # A torch that is built without CUDA has a few operators of CUDA's all the same.
    beside, others = ("CUDA", cuda) if len(cuda) * 2 > len(cpu) else ("CPU", cpu)
    return {"count": len(own), "reference_device": beside, "missing": sorted(others - own)}


asked = json.loads(sys.argv[1])
answers, members, roots = {}, {}, {}
about = {"torch": {}, "torch_musa": {}}
roots["torch"] = torch = imported("torch", about["torch"])
# torch_musa changes torch: what CUDA's functions take is read before.
signatures = {name: parameters(find(name)) for name, _ in asked}
members.clear()
roots["torch_musa"] = imported("torch_musa", about["torch_musa"])
for name, counterparts in asked:
    for counterpart in counterparts:
        found = find(counterpart)
        if found is not MISSING:
            answers[name] = {"to": counterpart, "cuda": signatures[name], "musa": parameters(found)}
            break
result = {"torch": about["torch"], "torch-musa": about["torch_musa"], "names": answers, "members": members}
# The package for run time puts functions of its own in the place of CUDA's.
result["patched"] = "torchada" in sys.modules
if torch is not None and roots["torch_musa"] is not None:
    try:
        result["operators"] = operators(torch)
    except Exception as error:
        result["operators-fault"] = f"{type(error).__name__}: {error}"
vendor = importlib.util.find_spec("nvidia")
places = vendor.submodule_search_locations if vendor else []
result["packages"] = [os.path.dirname(os.path.abspath(place)) for place in places]
answer(result)
