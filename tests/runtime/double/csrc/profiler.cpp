// What torch's profiler asks of a PrivateUse1 device before 2.11; it refuses the activity without it.
#include <torch/csrc/profiler/stubs/base.h>

#include "streams.h"

namespace musa_double {
namespace {

using torch::profiler::impl::ProfilerVoidEventStub;

struct Stubs final : torch::profiler::impl::ProfilerStubs {
  void record(c10::DeviceIndex* device, ProfilerVoidEventStub* event, int64_t* nanoseconds) const override {
    auto now = std::make_shared<Event>();
    now->time = std::chrono::steady_clock::now();
    if (device != nullptr) {
      *device = current_device();
    }
    if (nanoseconds != nullptr) {
      *nanoseconds = std::chrono::nanoseconds(now->time.time_since_epoch()).count();
    }
    *event = std::move(now);
  }
  float elapsed(const ProfilerVoidEventStub* from, const ProfilerVoidEventStub* to) const override {
    const auto passed = static_cast<Event*>(to->get())->time - static_cast<Event*>(from->get())->time;
    return std::chrono::duration<float, std::micro>(passed).count();
  }
  void mark(const char*) const override {}
  void rangePush(const char*) const override {}
  void rangePop() const override {}
  bool enabled() const override { return true; }
  void onEachDevice(std::function<void(int)> action) const override {
    for (int device = 0; device < device_count(); ++device) {
      action(device);
    }
  }
  void synchronize() const override {}
} stubs;

const bool registered = [] {
  torch::profiler::impl::registerPrivateUse1Methods(&stubs);
  return true;
}();

}  // namespace
}  // namespace musa_double
