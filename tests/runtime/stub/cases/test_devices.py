"""Devices as objects: made, compared, copied, kept, and current in blocks and threads."""

from __future__ import annotations

import copy
import dataclasses
import enum
import pickle
import threading
import typing
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

MUSA, FIRST, SECOND = torch.device("musa"), torch.device("musa:0"), torch.device("musa:1")


def test_keys() -> None:
    """A device is a key of a dictionary, and in a set: `torch.device("cuda:1")` and `x.device` are one key."""
    streams = {torch.device("cuda:0"): 0, torch.device("cuda:1"): 1}
    assert streams[torch.empty(1, device="cuda:1").device] == 1
    assert len({torch.device("cuda:1"), torch.device("cuda", 1), torch.device("musa:1")}) == 1
    assert hash(torch.device("cuda:1")) == hash(SECOND)


def test_copies() -> None:
    """`copy`, `deepcopy` and pickles of every protocol give the device again."""
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(torch.device("cuda:1"), protocol)) == SECOND
    assert copy.copy(SECOND) == copy.deepcopy({"device": torch.device("cuda:1")})["device"] == SECOND


def test_a_pickle_from_cuda() -> None:
    """A device that was pickled on a machine with CUDA is MUSA's here."""
    written = b"\x80\x02ctorch\ndevice\nX\x04\x00\x00\x00cudaK\x01\x86R."
    assert pickle.loads(written) == SECOND


def test_patterns() -> None:
    """Structural pattern matching: `case torch.device(index=1)` and a guard by `is_gpu_device`."""
    space: dict[str, typing.Any] = {}
    exec(
        "import torch\n"
        "def kind(d):\n"
        "    match d:\n"
        "        case torch.device(index=1): return 'second'\n"
        "        case torch.device(type='musa'): return 'gpu'\n"
        "        case torch.device(): return 'other'\n"
        "    return None\n",
        space,
    )
    kinds = [space["kind"](d) for d in (torch.device("cuda:1"), torch.device("cuda"), torch.device("cpu"), "cuda")]
    assert kinds == ["second", "gpu", "other", None]


def test_fields() -> None:
    """A device as a field: frozen dataclass, named tuple, enumeration."""

    @dataclasses.dataclass(frozen=True)
    class Config:
        device: torch.device = torch.device("cuda:1")

    class Pair(typing.NamedTuple):
        device: torch.device

    class Where(enum.Enum):
        GPU = torch.device("cuda")

    assert Config() == Config(torch.device("musa:1")) and hash(Config()) == hash(Config(SECOND))
    assert dataclasses.replace(Config(), device=torch.device("cuda")).device == MUSA
    assert copy.deepcopy(Config()) == Config()
    assert Pair(torch.device("cuda:1")).device == SECOND
    assert Where(torch.device("musa")) is Where.GPU


def test_annotations() -> None:
    """Annotations hold: `get_type_hints`, `Optional[torch.device]`, `Union`, and a validator by `isinstance`."""

    def place(device: typing.Optional[torch.device] = None) -> torch.device: ...  # noqa: UP045

    hints = typing.get_type_hints(place)
    assert hints["return"] is torch.device and type(None) in typing.get_args(hints["device"])
    assert typing.Union[torch.device, str] == typing.Union[torch.device, str]
    validate = next(each for each in typing.get_args(hints["device"]) if each is not type(None))
    assert isinstance(torch.device("cuda"), validate) and validate("cuda:1") == SECOND


def test_the_class() -> None:
    """The class is PyTorch's own: no subclass, its `__new__`, its errors, and `type(d)(…)` makes MUSA's, too."""
    assert type(FIRST)("cuda:1") == SECOND and torch.device.__new__(torch.device, "cuda:1") == SECOND
    assert torch.device(type="cuda", index=1) == torch.device("cuda", index=1) == SECOND
    assert torch.device(b"cuda") == MUSA
    for wrong in ((), ("cuda:0", 1), (None,), (3.5,), ("cuda", "1"), ("cuda", True), ("cuda", 1.0)):
        with pytest.raises((RuntimeError, TypeError)):
            torch.device(*wrong)
    with pytest.raises(TypeError):
        type("Mine", (torch.device,), {})
    with pytest.raises(TypeError):
        weakref.ref(torch.device("cuda"))
    with pytest.raises(AttributeError):
        torch.device("cuda").index = 3
    assert repr(torch.device("cuda:1")) == "device(type='musa', index=1)"


def test_a_name_of_a_class_of_its_own() -> None:
    """A device whose name is of a subclass of `str`, such as a string enumeration, is MUSA's, too."""

    class Name(str):
        pass

    class Kind(str, enum.Enum):
        GPU = "cuda:1"

    for name in (Name("cuda:1"), Kind.GPU):
        x = torch.ones(1)
        assert torch.device(name) == SECOND
        assert torch.empty(1, device=name).device == SECOND
        assert torch.zeros_like(x, device=name).device == SECOND and x.new_empty(1, device=name).device == SECOND
        assert x.to(name).device == x.to(device=name).device == x.cuda(name).device == SECOND
        assert torch.nn.Linear(1, 1).to(name).weight.device == SECOND
        assert torch.Generator(name).device == torch.Generator(device=name).device == SECOND
        assert torch.cuda.get_device_properties(name).total_memory > 0


def test_a_number_of_numpy() -> None:
    """A device's index as numpy's integer is the index, or an error: never another device."""
    numpy = pytest.importorskip("numpy")
    for index in (numpy.int64(1), numpy.int32(1)):
        for make in (
            lambda i: torch.device("cuda", i),
            lambda i: torch.ones(1).cuda(i).device,
            lambda i: torch.ones(1).to(i).device,
            lambda i: torch.device(i),
            lambda i: torch.empty(1, device=i).device,
        ):
            try:
                made = make(index)
            except (TypeError, RuntimeError):
                continue
            assert made == SECOND


def test_nested_contexts() -> None:
    """`with torch.device("cuda")` in itself, beside `cpu`, and left by an exception."""
    with torch.device("cuda:1"):
        with torch.device("cpu"):
            assert torch.empty(1).device.type == "cpu"
            with torch.device("cuda"):
                assert torch.empty(1).device == FIRST
        assert torch.empty(1).device == torch.arange(3).device == torch.tensor(1.0).device == SECOND
        with pytest.raises(ZeroDivisionError), torch.device("cpu"):
            1 / 0  # noqa: B018
        assert torch.rand(1).device == SECOND
    assert torch.empty(1).device.type == "cpu"


def test_a_default_device_and_contexts() -> None:
    """`set_default_device("cuda")` and a context in it, a number as the default, and back."""
    for default, device in (("cuda:1", SECOND), (torch.device("cuda"), FIRST), (1, SECOND)):
        torch.set_default_device(default)
        assert torch.empty(1).device == device
        with torch.device("cpu"):
            assert torch.empty(1).device.type == "cpu"
        assert torch.get_default_device() in (device, MUSA)
        assert torch.ones(1, device="cpu").device.type == "cpu"
    torch.set_default_device(None)
    assert torch.empty(1).device.type == "cpu"


def test_the_default_device_is_a_threads_own() -> None:
    """A default device, a context and a current device are those of the thread that set them."""
    torch.set_default_device("cuda:1")
    torch.cuda.set_device(1)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: torch.empty(1).device.type).result() == "cpu"
        assert pool.submit(torch.cuda.current_device).result() == 0


def test_blocks_of_current_devices() -> None:
    """`torch.cuda.device` in itself, as a decorator, with -1, `None`, a tensor's, and left by an exception."""
    assert torch.cuda.current_device() == 0
    with torch.cuda.device(1), torch.cuda.device(0):
        with torch.cuda.device("cuda:1"), torch.cuda.device(torch.device("cuda:0")), torch.cuda.device(-1):
            assert torch.cuda.current_device() == 0
        with torch.cuda.device_of(torch.empty(1, device="cuda:1")):
            assert torch.ones(1).cuda().device == SECOND
        with pytest.raises(ZeroDivisionError), torch.cuda.device(1):
            1 / 0  # noqa: B018
        assert torch.cuda.current_device() == 0
    with torch.cuda.device_of(torch.ones(1)), torch.cuda.device(None):
        assert torch.cuda.current_device() == 0
    with torch.cuda.stream(torch.cuda.Stream(1)):
        assert torch.cuda.current_device() == 1 and torch.empty(1, device="cuda").device == SECOND
    assert torch.cuda.current_device() == 0


def test_threads_with_devices_of_their_own() -> None:
    """Threads with different current devices, at once: each has its own tensors, stream and generator."""
    errors: list[BaseException] = []
    barrier = threading.Barrier(4)

    def work(index: int) -> None:
        try:
            torch.cuda.set_device(index)
            barrier.wait()
            for _ in range(50):
                x = torch.empty(2, device="cuda").fill_(index)
                y = torch.ones(2).cuda() * index
                assert x.device == y.device == torch.device("musa", index) and torch.equal(x, y)
                with torch.cuda.stream(torch.cuda.Stream()):
                    assert torch.cuda.current_stream().device == x.device
                assert torch.cuda.current_device() == index
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number % 2,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not errors


def test_what_speaks_of_a_device_with_a_wrong_one() -> None:
    """A device that is not there is an error wherever it is named, and changes nothing."""
    for use in (
        lambda: torch.empty(1, device="cuda:99"),
        lambda: torch.ones(1).cuda(99),
        lambda: torch.cuda.set_device(99),
        lambda: torch.cuda.get_device_properties(99),
        lambda: torch.cuda.Stream(99),
        lambda: torch.Generator("cuda:99"),
        lambda: torch.nn.Linear(1, 1).to("cuda:99"),
        lambda: torch.cuda.synchronize(99),
        lambda: torch.zeros(1).to("cuda:128"),
    ):
        with pytest.raises((RuntimeError, AssertionError)):
            use()
    assert torch.cuda.current_device() == 0
