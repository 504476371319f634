"""Devices: which there are, which is current, what they can do."""

from __future__ import annotations

from typing import Any

from torch_musa import _MUSAC

from ._utils import DeviceUnion, _get_musa_device_index

#: The compiled half of the test bed plays one of Moore Threads' GPUs.
_DEVICE_NAME: str = getattr(_MUSAC, "_device_name", "MTT S5000")

_exchange_device = _MUSAC._musa_exchangeDevice
_maybe_exchange_device = _MUSAC._musa_maybeExchangeDevice


class Device:
    """The current device, for the length of a block. None and negative numbers change nothing."""

    def __init__(self, device: Any) -> None:
        self.idx = -1 if device is None else _get_musa_device_index(device, optional=True)
        self.prev_idx = -1

    def __enter__(self) -> None:
        self.prev_idx = _exchange_device(self.idx)

    def __exit__(self, *_: object) -> None:
        _maybe_exchange_device(self.prev_idx)


class DeviceOf(Device):
    """The device of a tensor or storage, for the length of a block."""

    def __init__(self, obj: Any) -> None:
        super().__init__(obj.get_device() if obj.device.type == "musa" else -1)


class _DeviceGuard:
    def __init__(self, index: int) -> None:
        self.idx = index
        self.prev_idx = -1

    def __enter__(self) -> None:
        self.prev_idx = _exchange_device(self.idx)

    def __exit__(self, *_: object) -> None:
        self.idx = _maybe_exchange_device(self.prev_idx)


class _MusaDeviceProperties:
    """The seven fields that torch_musa has. Asking for another is an AttributeError, as there."""

    __slots__ = (
        "name",
        "major",
        "minor",
        "is_multi_gpu_board",
        "is_integrated",
        "multi_processor_count",
        "total_memory",
    )

    def __init__(self) -> None:
        self.name = _DEVICE_NAME
        self.major, self.minor = 3, 1
        self.is_multi_gpu_board = self.is_integrated = 0
        self.multi_processor_count = 56
        self.total_memory = _MUSAC._double_total_memory()

    def __repr__(self) -> str:
        return (
            f"_MusaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
            f"total_memory={self.total_memory >> 20}MB, multi_processor_count={self.multi_processor_count})"
        )


def device_count() -> int:
    """How many devices there are."""
    return _MUSAC._musa_getDeviceCount()


def is_available() -> bool:
    """Whether there is one."""
    return _MUSAC._musa_getDeviceCount() > 0


def current_device() -> int:
    """The index of the current device."""
    return _MUSAC._musa_getDevice()


def set_device(device: DeviceUnion) -> None:
    """Make a device the current one. A negative number changes nothing."""
    index = _get_musa_device_index(device, optional=True)
    if index >= 0:
        _MUSAC._musa_setDevice(index)


def synchronize(device: DeviceUnion = None) -> None:
    """Wait for a device; it is done already."""
    _MUSAC._musa_getCurrentRawStream(_get_musa_device_index(device, optional=True))


def _checked(device: DeviceUnion, what: str = "device") -> int:
    index = _get_musa_device_index(device, optional=True)
    if not 0 <= index < device_count():
        raise AssertionError(f"Invalid {what} id")
    return index


def get_device_properties(device: DeviceUnion = None) -> _MusaDeviceProperties:
    """What a device is."""
    _checked(device)
    return _MusaDeviceProperties()


def get_device_name(device: DeviceUnion = None) -> str:
    """What a device is called."""
    return get_device_properties(device).name


def get_device_capability(device: DeviceUnion = None) -> tuple[int, int]:
    """Major and minor number of a device's architecture."""
    properties = get_device_properties(device)
    return properties.major, properties.minor


def can_device_access_peer(device: DeviceUnion, peer_device: DeviceUnion) -> bool:
    """Whether a device reads another's memory."""
    return _checked(device) != _checked(peer_device, "peer device")


def get_arch_list() -> list[str]:
    """The architectures that the stand-in would be compiled for."""
    return ["mp_22", "mp_31"] if is_available() else []


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether a device computes with bfloat16: from mp_22 on."""
    return is_available()


def is_tf32_supported() -> bool:
    """Whether a device computes with TF32."""
    return is_bf16_supported(including_emulation=False)


def register_musa_hook() -> None:
    """Make the device known to the parts of torch that are not the dispatcher."""
    _MUSAC._musa_register_device_hook()
