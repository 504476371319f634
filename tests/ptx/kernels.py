"""The cases of cases.jsonl. `python3 kernels.py` writes the file anew; `python3 kernels.py FILE SEED` writes another one,
which has every form of an instruction too, with operands that the seed chooses.
"""

import json
import sys
from pathlib import Path

from case import CASES
from kernels_forms import every_form
from kernels_integers import integers
from kernels_matrices import matrices
from kernels_numbers import conversions, numbers
from kernels_predicates import predicates
from kernels_shapes import shapes
from kernels_together import together
from kernels_warps import warps
from kernels_whole import whole
from kernels_written import written
from programs import programs


def main() -> None:
    """Write the cases."""
    for part in (integers, predicates, numbers, conversions, together, matrices, shapes, warps, written, whole):
        part()
    if len(sys.argv) > 2:
        every_form(int(sys.argv[2]))
        programs(int(sys.argv[2]))
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("cases.jsonl")
    file.write_text("".join(json.dumps(one) + "\n" for one in CASES))


if __name__ == "__main__":
    main()
