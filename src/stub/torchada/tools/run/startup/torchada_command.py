"""Runs a command of the package: `torchada_command.py verify …` is `python -m torchada verify …`, in any folder."""

import sys

if __name__ == "__main__":
    from torchada.__main__ import end

    end(sys.argv[1:])
