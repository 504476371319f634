// The devices of the double: how many there are, and which is the current one of each thread.
#pragma once

#include <c10/core/Device.h>
#include <torch/version.h>

// 207 for torch 2.7: what differs between versions is decided by this and nothing else.
#define DOUBLE_TORCH (TORCH_VERSION_MAJOR * 100 + TORCH_VERSION_MINOR)

namespace musa_double {

constexpr auto kMusa = c10::DeviceType::PrivateUse1;
constexpr int kMaxDevices = 16;

// Two devices, or TORCH_MUSA_DOUBLE_DEVICES; of those, the ones that MUSA_VISIBLE_DEVICES lists.
int device_count();

// Bytes that each device has: 8 GiB, or TORCH_MUSA_DOUBLE_MEMORY.
int64_t total_memory();

c10::DeviceIndex current_device() noexcept;

// Sets without a check; a negative index changes nothing.
void set_current_device(c10::DeviceIndex index) noexcept;

// Throws as a driver would where there is no such device.
void check_index(int64_t index);

// The index that a device means: the current one where it names none.
c10::DeviceIndex index_or_current(c10::DeviceIndex index) noexcept;

}  // namespace musa_double
