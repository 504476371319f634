// The same bytes, seen as a tensor of the CPU.
#pragma once

#include <ATen/core/Tensor.h>

namespace musa_double {

// Shares storage, strides and the conjugate and negative bits; gives back a tensor that is no device's.
at::Tensor alias_cpu(const at::Tensor& tensor);

}  // namespace musa_double
