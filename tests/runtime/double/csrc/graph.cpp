#include "graph.h"

#include <ATen/core/LegacyTypeDispatch.h>

#include <atomic>
#include <map>
#include <mutex>

#include "fallback.h"
#include "operators.h"
#include "streams.h"

namespace musa_double {
namespace {

struct Remembered {
  c10::OperatorHandle op;
  torch::jit::Stack inputs, outputs;
};

// Never destroyed: their tensors need the allocator.
auto& graphs = *new std::map<int64_t, std::vector<Remembered>>;
auto& mutex = *new std::mutex;
int64_t last_graph = 0;

struct Capture {
  int64_t graph;
  c10::DeviceIndex device;
  c10::StreamId stream;
};
Capture capture{0, 0, 0};  // guarded by the mutex
std::atomic<bool> any_capture{false};
thread_local int pauses = 0;

bool captured_here() noexcept {  // the caller has locked the mutex
  return any_capture && pauses == 0 && current_device() == capture.device && current_stream(capture.device) == capture.stream;
}

}  // namespace

int64_t new_graph() {
  std::lock_guard<std::mutex> lock(mutex);
  graphs[++last_graph];
  return last_graph;
}

void free_graph(int64_t graph) {
  std::vector<Remembered> gone;  // destroyed without the mutex: tensors may call back
  std::lock_guard<std::mutex> lock(mutex);
  const auto found = graphs.find(graph);
  if (found != graphs.end()) {
    gone.swap(found->second);
    graphs.erase(found);
  }
}

void begin_capture(int64_t graph) {
  std::lock_guard<std::mutex> lock(mutex);
  TORCH_CHECK(!any_capture, "MUSA error: another capture is under way");
  const auto device = current_device();
  TORCH_CHECK(
      current_stream(device) != 0,
      "MUSA graphs must be captured on a non-default stream. (However, after capture, it's ok to replay them on the "
      "default stream.)");
  graphs[graph].clear();
  capture = {graph, device, current_stream(device)};
  any_capture = true;
}

void end_capture() {
  std::lock_guard<std::mutex> lock(mutex);
  TORCH_CHECK(any_capture, "MUSA error: no capture is under way");
  any_capture = false;
}

bool capturing() noexcept {
  if (!any_capture) {
    return false;  // what almost every operator sees
  }
  std::lock_guard<std::mutex> lock(mutex);
  return captured_here();
}

CapturePause::CapturePause() noexcept {
  ++pauses;
}

CapturePause::~CapturePause() {
  --pauses;
}

void remember(const c10::OperatorHandle& op, torch::jit::Stack inputs, torch::jit::Stack outputs) {
  std::lock_guard<std::mutex> lock(mutex);
  if (captured_here()) {
    graphs[capture.graph].push_back({op, std::move(inputs), std::move(outputs)});
  }
}

void replay(int64_t graph) {
  std::vector<Remembered> steps;
  {
    std::lock_guard<std::mutex> lock(mutex);
    const auto found = graphs.find(graph);
    TORCH_CHECK(found != graphs.end(), "Called MUSAGraph::replay without a preceding successful capture.");
    steps = found->second;
  }
  at::AutoDispatchBelowADInplaceOrView below_autograd;
  for (const Remembered& step : steps) {
    torch::jit::Stack stack(step.inputs);
    if (step.outputs.empty()) {
      copy_from(stack[0].toTensor(), stack[1].toTensor(), false);
      continue;
    }
    run_on_cpu(step.op, &stack);
    // later steps and the caller hold the tensors of the capture: the new results go there
    for (size_t index = 0; index < step.outputs.size(); ++index) {
      if (!step.outputs[index].isTensor() || !stack[index].isTensor()) {
        continue;
      }
      const at::Tensor &kept = step.outputs[index].toTensor(), &made = stack[index].toTensor();
      if (kept.defined() && !kept.is_same(made)) {
        copy_from(made, kept, false);
      }
    }
  }
}

std::vector<std::string> operators_of(int64_t graph) {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<std::string> names;
  for (const Remembered& step : graphs[graph]) {
    names.push_back(c10::toString(step.op.schema().operator_name()));
  }
  return names;
}

}  // namespace musa_double
