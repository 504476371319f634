// What torch before 2.11, or with several devices, takes from C++ only: that the device is there, and which one is current.
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/csrc/profiler/stubs/base.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <vector>

namespace {

thread_local c10::DeviceIndex current = 0;
c10::DeviceIndex count = 1;

struct Guard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return c10::DeviceType::PrivateUse1; }
  c10::Device exchangeDevice(c10::Device device) const override {
    const c10::Device before = getDevice();
    setDevice(device);
    return before;
  }
  c10::Device getDevice() const override { return {type(), current}; }
  void setDevice(c10::Device device) const override { current = device.index(); }
  void uncheckedSetDevice(c10::Device device) const noexcept override { current = device.index(); }
  c10::Stream getStream(c10::Device device) const noexcept override { return c10::Stream(c10::Stream::DEFAULT, device); }
  c10::Stream getDefaultStream(c10::Device device) const override { return c10::Stream(c10::Stream::DEFAULT, device); }
  c10::Stream exchangeStream(c10::Stream stream) const noexcept override { return stream; }
  c10::DeviceIndex deviceCount() const noexcept override { return count; }
  c10::Stream getStreamFromGlobalPool(c10::Device device, bool) const override { return getDefaultStream(device); }
  bool queryStream(const c10::Stream&) const override { return true; }
  void synchronizeStream(const c10::Stream&) const override {}
  void synchronizeDevice(const c10::DeviceIndex) const override {}
  // all work is done when it is asked for, so an event is nothing but a mark
  void record(void** event, const c10::Stream&, const c10::DeviceIndex, const c10::EventFlag) const override {
    *event = &mark;
  }
  void destroyEvent(void*, const c10::DeviceIndex) const noexcept override {}
  void block(void*, const c10::Stream&) const override {}
  bool queryEvent(void*) const override { return true; }
  void synchronizeEvent(void*) const override {}
  void recordDataPtrOnStream(const c10::DataPtr&, const c10::Stream&) const override {}

 private:
  static inline char mark = 0;
};

struct Hooks final : at::PrivateUse1HooksInterface {
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
#if TRYOUT_TORCH >= 208
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return count > 0; }
#endif
  void init() const override {}
  c10::DeviceIndex deviceCount() const override { return count; }
  c10::DeviceIndex getCurrentDevice() const override { return current; }
  void setCurrentDevice(c10::DeviceIndex device) const override { current = device; }
};

const c10::impl::DeviceGuardImplRegistrar guard(c10::DeviceType::PrivateUse1, new Guard);
const bool hooks = (at::RegisterPrivateUse1HooksInterface(new Hooks), true);

// The profiler refuses the device without them.
struct Stubs final : torch::profiler::impl::ProfilerStubs {
  using Event = torch::profiler::impl::ProfilerVoidEventStub;
  void record(c10::DeviceIndex* device, Event* event, int64_t* nanoseconds) const override {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    if (device != nullptr) {
      *device = current;
    }
    if (nanoseconds != nullptr) {
      *nanoseconds = passed;
    }
    *event = std::make_shared<int64_t>(passed);
  }
  float elapsed(const Event* from, const Event* to) const override {
    return static_cast<float>(*static_cast<int64_t*>(to->get()) - *static_cast<int64_t*>(from->get())) / 1e3F;
  }
  void mark(const char*) const override {}
  void rangePush(const char*) const override {}
  void rangePop() const override {}
  bool enabled() const override { return true; }
  void onEachDevice(std::function<void(int)> action) const override { action(0); }
  void synchronize() const override {}
} stubs;

const bool profiled = (torch::profiler::impl::registerPrivateUse1Methods(&stubs), true);

// What Python gave to torch and torch is done with, by address. Never destroyed: tensors outlive main.
std::mutex& mutex = *new std::mutex;
std::vector<void*>& gone = *new std::vector<void*>;

}  // namespace

// The deleter of DLPack's tensors.
extern "C" void tryout_release(void* managed) {
  const std::lock_guard<std::mutex> lock(mutex);
  gone.push_back(managed);
}

extern "C" int tryout_gone(void** place, int room) {
  const std::lock_guard<std::mutex> lock(mutex);
  const auto count = std::min<size_t>(gone.size(), room);
  std::copy(gone.end() - count, gone.end(), place);
  gone.resize(gone.size() - count);
  return static_cast<int>(count);
}

extern "C" void tryout_set_device_count(int devices) {
  count = static_cast<c10::DeviceIndex>(devices);
}

extern "C" void tryout_set_device(int device) {
  current = static_cast<c10::DeviceIndex>(device);
}
