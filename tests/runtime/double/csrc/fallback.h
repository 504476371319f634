// Every operator that the double has no kernel of its own for.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace musa_double {

// Runs an operator on copies in the CPU's memory and brings the results back. Throws where tensors of several
// devices meet, as a device would: the copies alone would let them.
void run_on_cpu(const c10::OperatorHandle& op, torch::jit::Stack* stack);

// How many operators have run so, in this process.
int64_t fallback_calls() noexcept;

}  // namespace musa_double
