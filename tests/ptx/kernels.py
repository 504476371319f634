"""The cases of cases.jsonl. `python3 kernels.py` writes the file anew, or another one."""

import json
import sys
from pathlib import Path

from case import CASES
from kernels_integers import integers
from kernels_matrices import matrices
from kernels_numbers import conversions, numbers
from kernels_predicates import predicates
from kernels_together import together


def main() -> None:
    """Write the cases."""
    for part in (integers, predicates, numbers, conversions, together, matrices):
        part()
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("cases.jsonl")
    file.write_text("".join(json.dumps(one) + "\n" for one in CASES))


if __name__ == "__main__":
    main()
