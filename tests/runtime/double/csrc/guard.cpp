// What torch's device and stream guards call: the current device, streams and events.
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <atomic>

#include "streams.h"

namespace musa_double {
namespace {

thread_local c10::StreamId streams[kMaxDevices] = {0};
std::atomic<c10::StreamId> next_stream{1};

struct Guard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return kMusa; }
  c10::DeviceIndex deviceCount() const noexcept override { return static_cast<c10::DeviceIndex>(device_count()); }

  c10::Device exchangeDevice(c10::Device device) const override {
    const c10::Device before = getDevice();
    setDevice(device);
    return before;
  }
  c10::Device getDevice() const override { return {kMusa, current_device()}; }
  void setDevice(c10::Device device) const override {
    if (device.index() >= 0) {
      check_index(device.index());
      set_current_device(device.index());
    }
  }
  void uncheckedSetDevice(c10::Device device) const noexcept override { set_current_device(device.index()); }
  void synchronizeDevice(const c10::DeviceIndex) const override {}
#if DOUBLE_TORCH >= 210
  c10::DeviceCapability getDeviceCapability(c10::Device) const override { return c10::DeviceCapability(); }
#endif

  c10::Stream getStream(c10::Device device) const override {
    return stream(device, current_stream(index_or_current(device.index())));
  }
  c10::Stream getDefaultStream(c10::Device device) const override { return stream(device, 0); }
  c10::Stream getStreamFromGlobalPool(c10::Device device, bool) const override { return getNewStream(device, 0); }
  c10::Stream getNewStream(c10::Device device, int) const override { return stream(device, next_stream++); }
  c10::Stream exchangeStream(c10::Stream to) const override {
    const c10::Stream before = getStream(to.device());
    set_current_stream(to.device_index(), to.id());
    return before;
  }
  bool queryStream(const c10::Stream&) const override { return true; }
  void synchronizeStream(const c10::Stream&) const override {}
#if DOUBLE_TORCH >= 211
  void* getStreamNativeHandle(const c10::Stream of) const override { return reinterpret_cast<void*>(of.id()); }
#endif

  void record(void** event, const c10::Stream&, const c10::DeviceIndex, const c10::EventFlag) const override {
    if (*event == nullptr) {
      *event = new Event;
    }
    static_cast<Event*>(*event)->time = std::chrono::steady_clock::now();
  }
  void destroyEvent(void* event, const c10::DeviceIndex) const noexcept override { delete static_cast<Event*>(event); }
  void block(void*, const c10::Stream&) const override {}
  bool queryEvent(void*) const override { return true; }
  void synchronizeEvent(void*) const override {}
  double elapsedTime(void* from, void* to, const c10::DeviceIndex) const override {
    TORCH_CHECK(from != nullptr && to != nullptr, "Both events must be recorded before calculating elapsed time.");
    const auto passed = static_cast<Event*>(to)->time - static_cast<Event*>(from)->time;
    return std::chrono::duration<double, std::milli>(passed).count();
  }
  void recordDataPtrOnStream(const c10::DataPtr&, const c10::Stream&) const override {}

 private:
  static c10::Stream stream(c10::Device device, c10::StreamId id) {
    return c10::Stream(c10::Stream::UNSAFE, c10::Device(kMusa, index_or_current(device.index())), id);
  }
};

C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard);

}  // namespace

c10::StreamId current_stream(c10::DeviceIndex device) noexcept {
  return streams[device];
}

void set_current_stream(c10::DeviceIndex device, c10::StreamId stream) noexcept {
  streams[device] = stream;
}

}  // namespace musa_double
