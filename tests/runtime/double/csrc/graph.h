// Graphs: while a stream is captured, what runs on it is remembered with its tensors, and a replay runs it
// again on the same tensors. As on a device, nothing but the operators is remembered.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <string>
#include <vector>

namespace musa_double {

int64_t new_graph();
void free_graph(int64_t graph);

// Captures what runs on this thread's current stream, on whatever thread, until `end_capture`. Throws on the
// default stream, and where another capture is under way.
void begin_capture(int64_t graph);
void end_capture();

// Whether the current stream of this thread is being captured.
bool capturing() noexcept;

// While one lives, this thread captures nothing: an operator is remembered whole, and not its parts too.
struct CapturePause {
  CapturePause() noexcept;
  ~CapturePause();
  CapturePause(const CapturePause&) = delete;
  CapturePause& operator=(const CapturePause&) = delete;
};

// Remembers an operator that has run; to be asked for only while `capturing`.
void remember(const c10::OperatorHandle& op, torch::jit::Stack inputs, torch::jit::Stack outputs);

void replay(int64_t graph);

// The names of the operators that a graph holds, in order.
std::vector<std::string> operators_of(int64_t graph);

}  // namespace musa_double
