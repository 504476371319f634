// Random number generators: one by default on each device, and more on demand.
#pragma once

#include <ATen/core/Generator.h>

#include "devices.h"

namespace musa_double {

// The default generator of a device. Throws where there is no such device.
const at::Generator& default_generator(c10::DeviceIndex device);

// A new one, with torch's default seed.
at::Generator new_generator(c10::DeviceIndex device);

// A CPU generator that goes on where a device's stands: CPU kernels accept no other kind.
at::Generator cpu_twin(const at::Generator& generator);

}  // namespace musa_double
