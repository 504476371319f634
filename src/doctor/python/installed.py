# What this Python has, without importing any of it. Arguments: modules to look for.
import importlib.machinery
import importlib.metadata
import platform


def place(name):
    if name in sys.modules:
        return getattr(sys.modules[name], "__file__", None)
    spec = importlib.machinery.PathFinder.find_spec(name)
    if spec is None:
        return None
    return spec.origin or next(iter(spec.submodule_search_locations or []), None)


def distributions():
    found = {}
    for each in importlib.metadata.distributions():
        name = each.metadata["Name"]
        # The first one on the path is the one that is imported.
        if name and name not in found:
            found[name] = each.version or ""
    return found


def starters(name):
    """The files that import a module when this Python starts."""
    found = []
    for folder in dict.fromkeys([*site.getsitepackages(), *sys.path]):
        try:
            entries = sorted(os.listdir(folder))
        except OSError:
            continue
        for entry in entries:
            if not (entry.endswith(".pth") or entry in ("sitecustomize.py", "usercustomize.py")):
                continue
            path = os.path.join(folder, entry)
            try:
                with open(path, encoding="utf-8", errors="replace") as file:
                    lines = file.read(1 << 20).splitlines()
            except OSError:
                continue
            if any("import " + name in line for line in lines):
                found.append(path)
    return found


names = sys.argv[1:]
answer(
    {
        "version": platform.python_version(),
        "places": {name: place(name) for name in names},
        "distributions": distributions(),
        "starters": {name: starters(name) for name in names},
    }
)
