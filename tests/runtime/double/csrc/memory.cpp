#include "memory.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#if DOUBLE_TORCH >= 209
#include <c10/core/CachingDeviceAllocator.h>
#endif

namespace musa_double {
namespace {

constexpr size_t kAlignment = 512;

void* host_memory(size_t bytes) {
  void* pointer = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  TORCH_CHECK(pointer != nullptr, "the host is out of memory");
  return pointer;
}

// Blocks by where they begin, so that a pointer into one finds it.
template <typename Value>
struct Blocks {
  struct Block {
    size_t bytes;
    Value value;
  };
  std::mutex mutex;
  std::map<const char*, Block> all;

  // The caller has locked the mutex. nullptr where the pointer lies in no block.
  const Block* around(const void* pointer) const {
    const char* at = static_cast<const char*>(pointer);
    auto next = all.upper_bound(at);
    if (next == all.begin()) {
      return nullptr;
    }
    --next;
    return at < next->first + next->second.bytes ? &next->second : nullptr;
  }
};

// Never destroyed: tensors that outlive main still give their memory back.
auto& device_blocks = *new Blocks<c10::DeviceIndex>;
auto& pinned_blocks = *new Blocks<char>;

// Guarded by the mutex of `device_blocks`.
struct Counters {
  MemoryStats bytes{};
  int64_t blocks = 0, all_blocks = 0;
} counters[kMaxDevices];

void free_device(void* pointer) {
  std::lock_guard<std::mutex> lock(device_blocks.mutex);
  const auto found = device_blocks.all.find(static_cast<char*>(pointer));
  if (found == device_blocks.all.end()) {
    return;
  }
  Counters& counted = counters[found->second.value];
  counted.bytes.current -= found->second.bytes;
  counted.bytes.freed += found->second.bytes;
  --counted.blocks;
  device_blocks.all.erase(found);
  std::free(pointer);
}

void free_pinned(void* pointer) {
  std::lock_guard<std::mutex> lock(pinned_blocks.mutex);
  if (pinned_blocks.all.erase(static_cast<char*>(pointer)) != 0) {
    std::free(pointer);
  }
}

#if DOUBLE_TORCH >= 209
using DeviceAllocatorBase = c10::DeviceAllocator;
#else
using DeviceAllocatorBase = c10::Allocator;
#endif

struct DeviceAllocator final : DeviceAllocatorBase {
  c10::DataPtr allocate(size_t bytes) override {
    const c10::DeviceIndex device = current_device();
    void* pointer = bytes == 0 ? nullptr : take(bytes, device);
    return {pointer, pointer, &free_device, c10::Device(kMusa, device)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &free_device; }
  void copy_data(void* to, const void* from, size_t bytes) const override { std::memcpy(to, from, bytes); }

#if DOUBLE_TORCH >= 209
  bool initialized() override { return true; }
  void emptyCache(c10::MempoolId_t = {0, 0}) override {}
  void recordStream(const c10::DataPtr&, c10::Stream) override {}
  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex device) override {
    const MemoryStats bytes = memory_stats(device);
    c10::CachingDeviceAllocator::DeviceStats stats;
    for (auto* group : {&stats.allocated_bytes, &stats.active_bytes, &stats.requested_bytes, &stats.reserved_bytes}) {
      for (auto& stat : *group) {
        stat.current = bytes.current;
        stat.peak = bytes.peak;
        stat.allocated = bytes.allocated;
        stat.freed = bytes.freed;
      }
    }
    stats.num_ooms = bytes.ooms;
    return stats;
  }
  void resetAccumulatedStats(c10::DeviceIndex device) override { reset_accumulated_stats(device); }
  void resetPeakStats(c10::DeviceIndex device) override { reset_peak_stats(device); }
#endif
#if DOUBLE_TORCH >= 210
  std::pair<size_t, size_t> getMemoryInfo(c10::DeviceIndex device) override {
    return {total_memory() - memory_stats(device).current, total_memory()};
  }
#endif

 private:
  static void* take(size_t bytes, c10::DeviceIndex device) {
    std::lock_guard<std::mutex> lock(device_blocks.mutex);
    Counters& counted = counters[device];
    const int64_t free = total_memory() - counted.bytes.current;
    if (static_cast<int64_t>(bytes) > free) {
      ++counted.bytes.ooms;
      TORCH_CHECK_WITH(
          OutOfMemoryError, false, "MUSA out of memory. Tried to allocate ", bytes, " bytes. GPU ", static_cast<int>(device),
          " has a total capacity of ", total_memory(), " bytes of which ", free, " bytes is free.");
    }
    void* pointer = host_memory(bytes);
    device_blocks.all[static_cast<char*>(pointer)] = {bytes, device};
    counted.bytes.current += bytes;
    counted.bytes.allocated += bytes;
    counted.bytes.peak = std::max(counted.bytes.peak, counted.bytes.current);
    ++counted.blocks;
    ++counted.all_blocks;
    return pointer;
  }
} the_device_allocator;

REGISTER_ALLOCATOR(c10::DeviceType::PrivateUse1, &the_device_allocator);

struct PinnedAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) override {
    void* pointer = nullptr;
    if (bytes != 0) {
      pointer = host_memory(bytes);
      std::lock_guard<std::mutex> lock(pinned_blocks.mutex);
      pinned_blocks.all[static_cast<char*>(pointer)] = {bytes, 0};
    }
    return {pointer, pointer, &free_pinned, c10::Device(c10::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &free_pinned; }
  void copy_data(void* to, const void* from, size_t bytes) const override { std::memcpy(to, from, bytes); }
} the_pinned_allocator;

}  // namespace

c10::Allocator* device_allocator() {
  return &the_device_allocator;
}

c10::Allocator* pinned_allocator() {
  return &the_pinned_allocator;
}

bool is_pinned(const void* pointer) {
  std::lock_guard<std::mutex> lock(pinned_blocks.mutex);
  return pinned_blocks.around(pointer) != nullptr;
}

c10::Device device_of_pointer(const void* pointer) {
  std::lock_guard<std::mutex> lock(device_blocks.mutex);
  const auto* block = device_blocks.around(pointer);
  return {kMusa, block != nullptr ? block->value : current_device()};
}

MemoryStats memory_stats(int64_t device) {
  check_index(device);
  std::lock_guard<std::mutex> lock(device_blocks.mutex);
  return counters[device].bytes;
}

void reset_peak_stats(int64_t device) {
  check_index(device);
  std::lock_guard<std::mutex> lock(device_blocks.mutex);
  counters[device].bytes.peak = counters[device].bytes.current;
}

void reset_accumulated_stats(int64_t device) {
  check_index(device);
  std::lock_guard<std::mutex> lock(device_blocks.mutex);
  counters[device].bytes.allocated = 0;
  counters[device].bytes.freed = 0;
}

}  // namespace musa_double
