# What torch and torch_musa say of themselves once they are imported, each in its turn.
import importlib


def about_torch(torch):
    return {"version": str(torch.__version__), "cuda": torch.version.cuda, "place": torch.__file__}


def about_musa(musa):
    import torch

    found = {"version": str(getattr(musa, "__version__", "")), "place": musa.__file__}
    try:
        count = torch.musa.device_count()
        found["devices"] = [torch.musa.get_device_name(index) for index in range(count)]
    except Exception as error:
        found["devices-fault"] = f"{type(error).__name__}: {error}"
    return found


found = {}
for name, about in (("torch", about_torch), ("torch_musa", about_musa)):
    try:
        found[name] = about(importlib.import_module(name))
    except ModuleNotFoundError as error:
        if error.name != name:
            found[name] = {"fault": f"{type(error).__name__}: {error}"}
    except BaseException as error:
        found[name] = {"fault": f"{type(error).__name__}: {error}"}
answer(found)
