#include "devices.h"

#include <algorithm>
#include <c10/util/Exception.h>
#include <cstdlib>
#include <sstream>
#include <string>

namespace musa_double {
namespace {

thread_local c10::DeviceIndex current = 0;

int64_t from_environment(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atoll(text) : otherwise;
}

// As the driver reads it: the list ends at the first entry that is no device.
int visible(const char* list, int have) {
  std::istringstream entries(list);
  std::string entry;
  int count = 0;
  while (std::getline(entries, entry, ',')) {
    char* end = nullptr;
    const long index = std::strtol(entry.c_str(), &end, 10);
    if (end == entry.c_str() || index < 0 || index >= have) {
      break;
    }
    ++count;
  }
  return count;
}

}  // namespace

int device_count() {
  static const int count = [] {
    const int have = std::clamp(static_cast<int>(from_environment("TORCH_MUSA_DOUBLE_DEVICES", 2)), 0, kMaxDevices);
    const char* list = std::getenv("MUSA_VISIBLE_DEVICES");
    return list != nullptr ? visible(list, have) : have;
  }();
  return count;
}

int64_t total_memory() {
  static const int64_t bytes = from_environment("TORCH_MUSA_DOUBLE_MEMORY", int64_t{8} << 30);
  return bytes;
}

c10::DeviceIndex current_device() noexcept {
  return current;
}

void set_current_device(c10::DeviceIndex index) noexcept {
  if (index >= 0) {
    current = index;
  }
}

void check_index(int64_t index) {
  TORCH_CHECK(
      index >= 0 && index < device_count(), "MUSA error: invalid device ordinal ", index, " (", device_count(), " devices)");
}

c10::DeviceIndex index_or_current(c10::DeviceIndex index) noexcept {
  return index < 0 ? current : index;
}

}  // namespace musa_double
