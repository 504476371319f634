#include "hooks.h"

#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/native/Resize.h>

#include "generator.h"
#include "memory.h"

namespace musa_double {
namespace {

struct Hooks final : at::PrivateUse1HooksInterface {
  void init() const override {}
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
#if DOUBLE_TORCH >= 208
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return device_count() > 0; }
#endif

  c10::DeviceIndex deviceCount() const override { return static_cast<c10::DeviceIndex>(device_count()); }
  c10::DeviceIndex getCurrentDevice() const override { return current_device(); }
  void setCurrentDevice(c10::DeviceIndex device) const override {
    check_index(device);
    set_current_device(device);
  }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex device) const override {
    const auto before = current_device();
    if (device >= 0) {
      setCurrentDevice(device);
    }
    return before;
  }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex device) const override { return exchangeDevice(device); }

  const at::Generator& getDefaultGenerator(c10::DeviceIndex device) const override { return default_generator(device); }
  at::Generator getNewGenerator(c10::DeviceIndex device) const override { return new_generator(device); }

  at::Device getDeviceFromPtr(void* pointer) const override { return device_of_pointer(pointer); }
  bool isPinnedPtr(const void* pointer) const override { return is_pinned(pointer); }
  at::Allocator* getPinnedMemoryAllocator() const override { return pinned_allocator(); }
  void resizePrivateUse1Bytes(const c10::Storage& storage, size_t bytes) const override {
    at::native::resize_bytes_cpu(storage.unsafeGetStorageImpl(), bytes);
  }
};

}  // namespace

void register_hooks() {
  static const bool done = [] {
    at::RegisterPrivateUse1HooksInterface(new Hooks);
    return true;
  }();
  (void)done;
}

}  // namespace musa_double
