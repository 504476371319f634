"""`torchada bench`: what a patched call costs, and how long operators take on the device and on the CPU."""

from __future__ import annotations

import argparse
import os
import sys


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="torchada bench", description="Measures calls and operators.")
    kinds = made.add_subparsers(dest="kind", required=True, metavar="overhead|ops")
    overhead = kinds.add_parser(
        "overhead",
        help="what a patched call costs, beside plain torch.musa and the package index's adapter",
        description="Measures calls of torch.cuda through this package, the same calls through plain torch.musa and, "
        "where it is there, through the adapter of the same name on the package index. Each in processes of its own.",
    )
    overhead.add_argument("--rounds", type=int, default=5, metavar="N", help="processes for each (default: 5)")
    overhead.add_argument("--adapter", metavar="DIR", help="the folder that has the adapter: pip install --target DIR")
    ops = kinds.add_parser(
        "ops",
        help="how long operators take on the device and on the CPU",
        description="Measures operators on the device and on the CPU: warm, repeated, with the device waited for.",
    )
    ops.add_argument("names", nargs="+", metavar="OPERATOR|FILE", help="operators, or files that name one a line")
    ops.add_argument("--device", default="auto", metavar="DEVICE", help="musa, musa:1, cpu (the try-out), auto")
    ops.add_argument("--dtypes", default="float32", metavar="LIST", help="float32,float16 (default: float32)")
    ops.add_argument("--sizes", default="1k,1M", metavar="LIST", help="elements of the inputs (default: 1k,1M)")
    ops.add_argument("--blocks", type=int, default=7, metavar="N", help="measurements for each figure (default: 7)")
    ops.add_argument("--seconds", type=float, default=0.02, metavar="S", help="what each takes at least (0.02)")
    for each in (overhead, ops):
        each.add_argument("--json", action="store_true", help="print JSON in the table's place")
    return made


def main(arguments: list[str]) -> int:
    """Measure and print; 0, or 2 where nothing could be measured."""
    chosen = parser().parse_args(arguments)
    device = getattr(chosen, "device", "").split(":")[0]
    if device in ("musa", "cpu") and os.environ.get("TORCHADA_DEVICE") != device:
        # The package has decided on a device when it was imported: it has to be imported anew.
        os.environ["TORCHADA_DEVICE"] = device
        package = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))
        code = "import sys; sys.path[0] = sys.argv.pop(1); from torchada.__main__ import main; sys.exit(main(sys.argv[1:]))"
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, "-c", code, package, "bench", *arguments])
    if chosen.kind == "overhead":
        from . import overhead as command
    else:
        from . import operators as command  # type: ignore[no-redef]
    try:
        sys.stdout.write(command.run(chosen))
    except command.BenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0
