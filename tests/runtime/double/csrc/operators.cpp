// The operators that no fallback can give: factories, views, storages and copies.
#include "operators.h"

#include <ATen/EmptyTensor.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_local_scalar_dense_native.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/copy_native.h>
#include <ATen/ops/resize_native.h>
#include <ATen/ops/set_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include "alias.h"
#include "graph.h"
#include "memory.h"

namespace musa_double {
namespace {

using at::Tensor;
using c10::IntArrayRef;
using std::optional;

constexpr c10::DispatchKeySet kKeys(c10::DispatchKey::PrivateUse1);

c10::Device device_or_current(optional<c10::Device> device) {
  return {kMusa, index_or_current(device ? device->index() : c10::DeviceIndex{-1})};
}

void check_pin(optional<bool> pin) {
  TORCH_CHECK(!c10::pinned_memory_or_default(pin), "Only dense CPU tensors can be pinned");
}

// ---- factories: all of torch's end in one of these two

Tensor empty_memory_format(
    IntArrayRef sizes, optional<at::ScalarType> dtype, optional<at::Layout> layout, optional<c10::Device> device,
    optional<bool> pin, optional<at::MemoryFormat> format) {
  TORCH_CHECK(c10::layout_or_default(layout) == c10::Layout::Strided, "the musa double has strided tensors only");
  check_pin(pin);
  c10::DeviceGuard guard(device_or_current(device));
  return at::detail::empty_generic(sizes, device_allocator(), kKeys, c10::dtype_or_default(dtype), format);
}

Tensor empty_strided(
    IntArrayRef sizes, IntArrayRef strides, optional<at::ScalarType> dtype, optional<at::Layout>,
    optional<c10::Device> device, optional<bool> pin) {
  check_pin(pin);
  c10::DeviceGuard guard(device_or_current(device));
  return at::detail::empty_strided_generic(sizes, strides, device_allocator(), kKeys, c10::dtype_or_default(dtype));
}

// ---- views: they share the storage, so they can't run on a copy

Tensor as_strided(const Tensor& self, IntArrayRef sizes, IntArrayRef strides, optional<int64_t> offset) {
  return at::native::as_strided_tensorimpl(self, sizes, strides, offset);
}

Tensor view(const Tensor& self, IntArrayRef sizes) {
  return at::native::view(self, sizes);
}

Tensor reshape_alias(const Tensor& self, IntArrayRef sizes, IntArrayRef strides) {
  return at::native::_reshape_alias(self, sizes, strides);
}

Tensor unfold(const Tensor& self, int64_t dimension, int64_t size, int64_t step) {
  return at::native::unfold(self, dimension, size, step);
}

// ---- storages

const Tensor& resize_(const Tensor& self, IntArrayRef sizes, optional<at::MemoryFormat> format) {
  c10::DeviceGuard guard(self.device());
  return at::native::resize_(self, sizes, format);
}

Tensor& set_source_tensor(Tensor& self, const Tensor& source) {
  return at::native::set_tensor_(self, source);
}

Tensor& set_source_storage(Tensor& self, at::Storage source) {
  return at::native::set_(self, source);
}

Tensor& set_source_storage_offset(Tensor& self, at::Storage source, int64_t offset, IntArrayRef sizes, IntArrayRef strides) {
  return at::native::set_storage_cpu_(self, source, offset, sizes, strides);
}

Tensor& set_(Tensor& self) {
  c10::DeviceGuard guard(self.device());
  const c10::Storage none(c10::Storage::use_byte_size_t(), 0, device_allocator(), true);
  return at::native::set_storage_cpu_(self, none, 0, {0}, {});
}

void record_stream(Tensor&, c10::Stream) {}

// ---- copies

Tensor copy_from_and_resize(const Tensor& from, const Tensor& to) {
  c10::DeviceGuard guard(device_or_current(to.is_privateuseone() ? optional<c10::Device>(to.device()) : std::nullopt));
  at::native::resize_(to, from.sizes(), std::nullopt);
  return copy_from(from, to, false);
}

at::Scalar local_scalar_dense(const Tensor& self) {
  TORCH_CHECK(!capturing(), "MUSA error: operation not permitted when stream is capturing");
  return at::native::_local_scalar_dense_cpu(alias_cpu(self));
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) {
  library.impl("empty.memory_format", TORCH_FN(empty_memory_format));
  library.impl("empty_strided", TORCH_FN(empty_strided));
  library.impl("as_strided", TORCH_FN(as_strided));
  library.impl("view", TORCH_FN(view));
  library.impl("_reshape_alias", TORCH_FN(reshape_alias));
  library.impl("unfold", TORCH_FN(unfold));
  library.impl("resize_", TORCH_FN(resize_));
  library.impl("set_.source_Tensor", TORCH_FN(set_source_tensor));
  library.impl("set_.source_Storage", TORCH_FN(set_source_storage));
  library.impl("set_.source_Storage_storage_offset", TORCH_FN(set_source_storage_offset));
  library.impl("set_", TORCH_FN(set_));
  library.impl("record_stream", TORCH_FN(record_stream));
  library.impl("_copy_from", TORCH_FN(copy_from));
  library.impl("_copy_from_and_resize", TORCH_FN(copy_from_and_resize));
  library.impl("_local_scalar_dense", TORCH_FN(local_scalar_dense));
}

// Conjugate and negative views: resolving them ends in a copy, which would resolve them, for ever.
void let_copies_through(torch::Library& library) {
  library.impl("_copy_from", torch::CppFunction::makeFallthrough());
  library.impl("_copy_from_and_resize", torch::CppFunction::makeFallthrough());
}

TORCH_LIBRARY_IMPL(aten, Conjugate, library) {
  let_copies_through(library);
}

TORCH_LIBRARY_IMPL(aten, Negative, library) {
  let_copies_through(library);
}

}  // namespace

Tensor copy_from(const Tensor& from, const Tensor& to, bool non_blocking) {
  Tensor target = alias_cpu(to);
  at::native::copy_(target, alias_cpu(from), false);
  if (capturing()) {
    static const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("aten::_copy_from", "");
    remember(op, {from, to, non_blocking}, {});
  }
  return to;
}

Tensor to_device(const Tensor& tensor, c10::Device device) {
  if (!tensor.defined()) {
    return tensor;
  }
  const Tensor made =
      empty_strided(tensor.sizes(), tensor.strides(), tensor.scalar_type(), std::nullopt, device, std::nullopt);
  return copy_from(tensor, made, false);
}

}  // namespace musa_double
