"""The one error that the testbed's own tools raise."""


class TestbedError(Exception):
    """Something that a person can mend: a missing tool, no network, a full disk. The text says what."""

    __test__ = False  # not a test class, whatever its name begins with
