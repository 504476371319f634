#pragma once

#include <c10/core/DeviceGuard.h>

namespace c10::musa {

using MUSAGuard = c10::DeviceGuard;
using OptionalMUSAGuard = c10::OptionalDeviceGuard;

} // namespace c10::musa
