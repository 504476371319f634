// Operators of the double's own that its other parts call.
#pragma once

#include <ATen/core/Tensor.h>

namespace musa_double {

// Copies the bytes of one tensor into another, whatever devices they are on; gives the other.
at::Tensor copy_from(const at::Tensor& from, const at::Tensor& to, bool non_blocking);

// A copy of a CPU tensor on a device, with the same strides. An undefined one stays undefined.
at::Tensor to_device(const at::Tensor& tensor, c10::Device device);

}  // namespace musa_double
