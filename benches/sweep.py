#!/usr/bin/env python3
"""Times `torchada` on trees of ten, a hundred and a thousand MB, and draws what a MB costs.

A tree of a size is so many copies of the projects given, each in a folder of its own, so all trees are alike but for their
size. Each size is measured so many times (`--rounds`), the sizes in turn.

    benches/sweep.py PROJECT… --torchada target/dist/torchada --csv docs/performance/sweep.csv --svg docs/performance/sweep.svg

The folder for the trees (`--work`) needs twice the largest size and is best on a memory file system. A CSV that is there is
drawn anew with `--draw` alone.
"""

import argparse
import csv
import math
import shutil
import statistics
import sys
from pathlib import Path

from compare import measure

SIZES = (10, 100, 1000)
COMMANDS = {"check": ["check", "{tree}", "--quiet"], "port": ["port", "{tree}", "-o", "{out}", "--quiet"]}
COLOURS = {"check": "#1f6f8b", "port": "#b5532a"}


def size_of(folder):
    """The MB of the files below a folder."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files) / 1e6


def tree_of(projects, size, work):
    """A tree of about so many MB, with its size. The last copy is cut off after the project that reaches the size."""
    tree = work / f"tree-{size}"
    shutil.rmtree(tree, ignore_errors=True)
    sizes = [(project, size_of(project)) for project in projects]
    made, copy = 0.0, 0
    while made < size:
        for project, its in sizes:
            shutil.copytree(project, tree / f"copy{copy:03}" / project.name, symlinks=True)
            made += its
            if made >= size:
                break
        copy += 1
    return tree, made


def run(args):
    """Measure. Returns the rows of the CSV."""
    trees = [(size, *tree_of(args.projects, size, args.work)) for size in args.sizes]
    rows = []
    for round_number in range(args.rounds + 1):
        for _, tree, made in trees:
            for name, command in COMMANDS.items():
                out = args.work / "out"
                shutil.rmtree(out, ignore_errors=True)
                line = [part.format(tree=tree, out=out) for part in command]
                result = measure([str(args.torchada), *line], None)
                print(f"{round_number} {made:.0f} MB {name}: {result}", file=sys.stderr)
                # The first round warms the caches, unless it is the only one.
                if round_number or not args.rounds:
                    rows.append({"command": name, "MB": round(made, 1), **result})
    shutil.rmtree(args.work, ignore_errors=True)
    return rows


def medians(rows):
    """For each command its points: MB, CPU seconds, wall seconds and peak MB."""
    points = {}
    for row in rows:
        points.setdefault(row["command"], {}).setdefault(float(row["MB"]), []).append(row)
    def middle(some, *keys):
        return statistics.median(sum(float(row[key]) for key in keys) for row in some)
    return {
        name: [(size, middle(some, "user", "system"), middle(some, "wall"), middle(some, "memory"))
               for size, some in sorted(sizes.items())]
        for name, sizes in points.items()
    }


def draw(points):
    """CPU seconds against MB, both on logarithmic axes, as an SVG. A grey line has the slope of a constant cost per MB."""
    width, height, left, bottom = 560, 360, 64, 48
    xs = [size for some in points.values() for size, *_ in some]
    ys = [cpu for some in points.values() for _, cpu, *_ in some]
    low_x, high_x = math.floor(math.log10(min(xs) * 1.001)), math.ceil(math.log10(max(xs) / 1.1))
    low_y, high_y = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))
    def x(value):
        return left + (math.log10(value) - low_x) / (high_x - low_x) * (width - left - 24)
    def y(value):
        return height - bottom - (math.log10(value) - low_y) / (high_y - low_y) * (height - bottom - 24)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             "<title>CPU seconds of check and port against the MB of a tree</title>",
             f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for power in range(low_x, high_x + 1):
        at = x(10.0 ** power)
        parts.append(f'<path d="M{at:.1f} 24V{height - bottom}" stroke="#ddd"/>'
                     f'<text x="{at:.1f}" y="{height - bottom + 18}" text-anchor="middle" fill="#333">{10 ** power:,}</text>')
    for power in range(low_y, high_y + 1):
        at = y(10.0 ** power)
        shown = f"{10 ** power:,}" if power >= 0 else f"{10.0 ** power:g}"
        parts.append(f'<path d="M{left} {at:.1f}H{width - 24}" stroke="#ddd"/>'
                     f'<text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end" fill="#333">{shown}</text>')
    parts.append(f'<text x="{(left + width) / 2:.0f}" y="{height - 10}" text-anchor="middle" fill="#333">MB of the tree</text>'
                 f'<text x="{left - 8}" y="16" fill="#333">CPU s</text>')
    for at, (name, some) in enumerate(points.items()):
        colour = COLOURS.get(name, "#555")
        first, last = some[0], some[-1]
        parts.append(f'<path d="M{x(first[0]):.1f} {y(first[1]):.1f}L{x(last[0]):.1f} {y(first[1] * last[0] / first[0]):.1f}"'
                     ' stroke="#999" stroke-dasharray="4 4"/>')
        line = "L".join(f"{x(size):.1f} {y(cpu):.1f}" for size, cpu, *_ in some)
        parts.append(f'<path d="M{line}" stroke="{colour}" stroke-width="2" fill="none"/>')
        parts += [f'<circle cx="{x(size):.1f}" cy="{y(cpu):.1f}" r="4" fill="{colour}"/>' for size, cpu, *_ in some]
        parts.append(f'<text x="{left + 16}" y="{44 + 18 * at}" fill="{colour}">{name}</text>')
    parts.append(f'<text x="{left + 16}" y="{44 + 18 * len(points)}" fill="#777">dashed: the same cost for each MB</text>')
    return "\n".join([*parts, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", type=Path, nargs="*")
    parser.add_argument("--torchada", type=Path)
    parser.add_argument("--work", type=Path, default=Path("/dev/shm/torchada-sweep"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--csv", type=Path, required=True)
    parser.add_argument("--svg", type=Path)
    parser.add_argument("--draw", action="store_true")
    args = parser.parse_args()
    if args.draw:
        with args.csv.open(newline="") as file:
            rows = list(csv.DictReader(file))
    else:
        rows = run(args)
        with args.csv.open("w", newline="") as file:
            writer = csv.DictWriter(file, ["command", "MB", "wall", "user", "system", "memory", "code"], extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
    points = medians(rows)
    print("| command | MB | wall s | CPU s | CPU ms for each MB | peak MB |\n| --- | --- | --- | --- | --- | --- |")
    for name, some in points.items():
        for size, cpu, wall, memory in some:
            print(f"| `torchada {name}` | {size:.0f} | {wall:.2f} | {cpu:.2f} | {1000 * cpu / size:.1f} | {memory:.0f} |")
    if args.svg:
        args.svg.write_text(draw(points))


if __name__ == "__main__":
    main()
