// Streams and events. Work is done when it is asked for, so a stream is a number and an event a point in time.
#pragma once

#include <c10/core/Stream.h>

#include <chrono>

#include "devices.h"

namespace musa_double {

struct Event {
  std::chrono::steady_clock::time_point time;
};

// The stream that is current on a device, for this thread.
c10::StreamId current_stream(c10::DeviceIndex device) noexcept;
void set_current_stream(c10::DeviceIndex device, c10::StreamId stream) noexcept;

}  // namespace musa_double
