#include "fallback.h"

#include <ATen/native/CPUFallback.h>
#include <torch/library.h>

#include <atomic>
#include <string>
#include <unordered_set>

#include "generator.h"
#include "graph.h"

namespace musa_double {
namespace {

std::atomic<int64_t> calls{0};

// Operators that may mix tensors of a device with the host's.
bool may_mix(const std::string& name) {
  static const std::unordered_set<std::string> names{
      "aten::_copy_from",
      "aten::_has_compatible_shallow_copy_type",
      "aten::_index_put_impl_",
      "aten::_pack_padded_sequence",
      "aten::_to_copy",
      "aten::_unsafe_index",
      "aten::_unsafe_index_put",
      "aten::copy_",
      "aten::equal",
      "aten::index",
      "aten::index_put",
      "aten::index_put_",
      "aten::is_same_size",
      "aten::record_stream",
      "aten::set_",
      "aten::split_with_sizes",
      "aten::tensor_split",
  };
  // lists of tensors: the steps of an optimizer stand beside the parameters on the host
  return names.count(name) != 0 || name.rfind("aten::_foreach", 0) == 0 || name.rfind("aten::_fused", 0) == 0;
}

void check_devices(const c10::OperatorHandle& op, const torch::jit::Stack& stack, size_t begin) {
  const std::string& name = op.schema().name();
  if (may_mix(name)) {
    return;
  }
  std::optional<c10::Device> first;
  const auto look = [&](const at::Tensor& tensor) {
    if (!tensor.defined() || (tensor.is_cpu() && tensor.dim() == 0)) {
      return;  // a number of the host's goes with every device
    }
    if (first && *first != tensor.device()) {
      TORCH_CHECK(
          false, "Expected all tensors to be on the same device, but found at least two devices, ", *first, " and ",
          tensor.device(), "! (when calling ", name, ")");
    }
    first = tensor.device();
  };
  for (size_t index = begin; index < stack.size(); ++index) {
    if (stack[index].isTensor()) {
      look(stack[index].toTensor());
    } else if (stack[index].isTensorList()) {
      for (const at::Tensor& tensor : stack[index].toTensorVector()) {
        look(tensor);
      }
    }
  }
}

// The device that an operator runs on: that of its first tensor, or the one that it is to make a tensor on.
c10::DeviceIndex device_of(const torch::jit::Stack& stack, size_t begin) {
  for (size_t index = begin; index < stack.size(); ++index) {
    const c10::IValue& value = stack[index];
    if (value.isTensor() && value.toTensor().defined() && value.toTensor().is_privateuseone()) {
      return value.toTensor().device().index();
    }
    if (value.isDevice() && value.toDevice().is_privateuseone()) {
      return value.toDevice().index();
    }
  }
  return -1;
}

// Puts a CPU generator in the place of the device's that an operator is given, or means by giving none.
struct GeneratorSwap {
  at::Generator device, cpu;

  GeneratorSwap(const c10::FunctionSchema& schema, torch::jit::Stack& stack, size_t begin) {
    for (size_t index = 0; index < schema.arguments().size(); ++index) {
      const auto& type = schema.arguments()[index].type();
      if (type->kind() != c10::TypeKind::GeneratorType &&
          (type->kind() != c10::TypeKind::OptionalType ||
           type->castRaw<c10::OptionalType>()->getElementType()->kind() != c10::TypeKind::GeneratorType)) {
        continue;
      }
      c10::IValue& value = stack[begin + index];
      if (value.isNone()) {
        device = default_generator(device_of(stack, begin));
      } else if (value.toGenerator().device().is_privateuseone()) {
        device = value.toGenerator();
      } else {
        return;
      }
      cpu = cpu_twin(device);
      value = cpu;
      return;
    }
  }
  void give_back() {
    if (device.defined()) {
      device.set_state(cpu.get_state());
    }
  }
};

void fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  if (!capturing()) {
    run_on_cpu(op, stack);
    return;
  }
  const size_t begin = stack->size() - op.schema().arguments().size();
  torch::jit::Stack inputs(stack->begin() + begin, stack->end());
  run_on_cpu(op, stack);
  remember(op, std::move(inputs), {stack->begin() + begin, stack->end()});
}

TORCH_LIBRARY_IMPL(_, PrivateUse1, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>());
}

#if DOUBLE_TORCH < 210
// later versions of torch do it themselves
TORCH_LIBRARY_IMPL(_, AutogradPrivateUse1, library) {
  library.fallback(torch::CppFunction::makeFallthrough());
}
#endif

}  // namespace

void run_on_cpu(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  ++calls;
  const size_t begin = stack->size() - op.schema().arguments().size();
  check_devices(op, *stack, begin);
  const CapturePause pause;
  GeneratorSwap generators(op.schema(), *stack, begin);
  at::native::cpu_fallback(op, stack);
  generators.give_back();
}

int64_t fallback_calls() noexcept {
  return calls;
}

}  // namespace musa_double
