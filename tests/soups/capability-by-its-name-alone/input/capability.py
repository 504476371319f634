from .gpus import get_device_capability

cap = get_device_capability()
if cap >= 9:
    pass
