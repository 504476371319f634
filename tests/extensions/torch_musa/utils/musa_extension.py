"""Records what builders are given, and does to flags what torch_musa's does."""

MUSA_HOME = "/usr/local/musa"


def MUSAExtension(name, sources, *args, **kwargs):
    # torch_musa adds to these lists, and takes flags by compiler only.
    flags = kwargs.setdefault("extra_compile_args", {})
    flags["mcc"] = flags.get("mcc", [])
    flags["mcc"] += ["--offload-arch=mp_31"]
    flags.setdefault("cxx", [])
    return {"name": name, "sources": list(sources), **kwargs}


class BuildExtension:
    @classmethod
    def with_options(cls, **options):
        return cls
