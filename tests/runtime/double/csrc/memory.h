// Device memory (host memory that is counted per device) and pinned memory (host memory that is remembered).
#pragma once

#include <c10/core/Allocator.h>

#include "devices.h"

namespace musa_double {

// The counters of one device, in bytes but for `ooms`.
struct MemoryStats {
  int64_t current, peak, allocated, freed, ooms;
};

c10::Allocator* device_allocator();
c10::Allocator* pinned_allocator();

// Whether a pointer lies in a block of the pinned allocator.
bool is_pinned(const void* pointer);

// The device whose block a pointer lies in; the current one where it lies in none.
c10::Device device_of_pointer(const void* pointer);

MemoryStats memory_stats(int64_t device);
void reset_peak_stats(int64_t device);
void reset_accumulated_stats(int64_t device);

}  // namespace musa_double
