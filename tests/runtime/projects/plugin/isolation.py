"""A plugin of pytest's: what a test that fails leaves behind is no other test's business.

A package's tests set variables and join process groups, and put both right in their last lines, which one that
fails doesn't reach. Whatever comes after fails in turn, and one difference looks like two hundred.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest

#: The environment variable with the statements that put right what a package keeps of its own; `run.py` sets it.
PUT_RIGHT = "PUT_RIGHT_AFTER_FAILURE"


def _group() -> Any:
    distributed = sys.modules.get("torch.distributed")
    found = distributed is not None and distributed.is_available() and distributed.is_initialized()
    return distributed if found else None


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Put variables back, and leave a group that the test has made, where it fails; what fixtures do is theirs."""
    before, grouped = dict(os.environ), _group() is not None
    outcome = yield
    if outcome.excinfo is None or outcome.excinfo[0] is pytest.skip.Exception:
        return
    os.environ.clear()
    os.environ.update(before)
    if not grouped and (distributed := _group()) is not None:
        distributed.destroy_process_group()
    exec(before.get(PUT_RIGHT, ""), {})


@pytest.hookimpl(trylast=True)
def pytest_runtest_logfinish() -> None:
    """Let go of what a failure's frames hold: a group's store keeps its port."""
    kept = [vars(sys).pop(name, None) for name in ("last_exc", "last_value", "last_traceback")]
    if any(kept):
        kept.clear()
        gc.collect()
