#include "generator.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>

#include <vector>

namespace musa_double {
namespace {

// A CPU generator that says it is on a device.
struct DeviceGenerator final : at::CPUGeneratorImpl {
  explicit DeviceGenerator(c10::DeviceIndex device) {
    device_ = c10::Device(kMusa, device);
    key_set_ = c10::DispatchKeySet(c10::DispatchKey::PrivateUse1);
  }
  // A device's generator is pickled as seed and offset, which the CPU's has not.
  void set_offset(uint64_t offset) override { offset_ = offset; }
  uint64_t get_offset() const override { return offset_; }

 private:
  uint64_t offset_ = 0;
};

}  // namespace

const at::Generator& default_generator(c10::DeviceIndex device) {
  // never destroyed: Python's wrappers may be the last to let go
  static auto& all = *[] {
    auto* made = new std::vector<at::Generator>;
    for (int index = 0; index < device_count(); ++index) {
      made->push_back(at::make_generator<DeviceGenerator>(static_cast<c10::DeviceIndex>(index)));
      made->back().seed();
    }
    return made;
  }();
  const auto index = index_or_current(device);
  check_index(index);
  return all[index];
}

at::Generator new_generator(c10::DeviceIndex device) {
  const auto index = index_or_current(device);
  check_index(index);
  return at::make_generator<DeviceGenerator>(index);
}

at::Generator cpu_twin(const at::Generator& generator) {
  auto twin = at::make_generator<at::CPUGeneratorImpl>();
  twin.set_state(generator.get_state());
  return twin;
}

}  // namespace musa_double
