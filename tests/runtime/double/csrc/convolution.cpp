// Convolutions: they reach a PrivateUse1 backend by these two operators only, which have no CPU kernel.
#include <ATen/ops/convolution.h>
#include <ATen/ops/convolution_backward.h>
#include <ATen/ops/convolution_backward_overrideable_native.h>
#include <ATen/ops/convolution_overrideable_native.h>
#include <torch/library.h>

#include "alias.h"
#include "operators.h"

namespace musa_double {
namespace {

using at::Tensor;
using c10::IntArrayRef;

void check_same(const Tensor& left, const Tensor& right) {
  TORCH_CHECK(
      left.device() == right.device(), "Expected all tensors to be on the same device, but found at least two devices, ",
      left.device(), " and ", right.device(), "! (when calling aten::convolution)");
}

Tensor forward(
    const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, IntArrayRef stride, IntArrayRef padding,
    IntArrayRef dilation, bool transposed, IntArrayRef output_padding, int64_t groups) {
  check_same(input, weight);
  std::optional<Tensor> cpu_bias;
  if (bias && bias->defined()) {
    check_same(input, *bias);
    cpu_bias = alias_cpu(*bias);
  }
  const Tensor result = at::convolution(
      alias_cpu(input), alias_cpu(weight), cpu_bias, stride, padding, dilation, transposed, output_padding, groups);
  return to_device(result, input.device());
}

std::tuple<Tensor, Tensor, Tensor> backward(
    const Tensor& gradient, const Tensor& input, const Tensor& weight, IntArrayRef stride, IntArrayRef padding,
    IntArrayRef dilation, bool transposed, IntArrayRef output_padding, int64_t groups, std::array<bool, 3> wanted) {
  const int64_t channels = transposed ? weight.size(1) * groups : weight.size(0);
  const auto bias_sizes = wanted[2] ? at::OptionalIntArrayRef(IntArrayRef(channels)) : std::nullopt;
  const auto [for_input, for_weight, for_bias] = at::convolution_backward(
      alias_cpu(gradient), alias_cpu(input), alias_cpu(weight), bias_sizes, stride, padding, dilation, transposed,
      output_padding, groups, wanted);
  const c10::Device device = input.device();
  return {to_device(for_input, device), to_device(for_weight, device), to_device(for_bias, device)};
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) {
  library.impl("convolution_overrideable", TORCH_FN(forward));
  library.impl("convolution_backward_overrideable", TORCH_FN(backward));
}

}  // namespace
}  // namespace musa_double
