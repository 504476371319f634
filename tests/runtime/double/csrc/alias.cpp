#include "alias.h"

#include <torch/library.h>

namespace musa_double {

at::Tensor alias_cpu(const at::Tensor& tensor) {
  if (!tensor.is_privateuseone()) {
    return tensor;
  }
  // the alias keeps the device's storage alive
  auto* owner = new c10::Storage(tensor.storage());
  c10::DataPtr bytes(
      const_cast<void*>(tensor.storage().data()), owner, [](void* kept) { delete static_cast<c10::Storage*>(kept); },
      c10::Device(c10::DeviceType::CPU));
  auto storage = c10::make_intrusive<c10::StorageImpl>(
      c10::StorageImpl::use_byte_size_t(), tensor.storage().nbytes(), std::move(bytes), nullptr, false);
  auto alias = at::detail::make_tensor<c10::TensorImpl>(
      c10::Storage(std::move(storage)), c10::DispatchKeySet(c10::DispatchKey::CPU), tensor.dtype());
  auto* impl = alias.unsafeGetTensorImpl();
  impl->set_storage_offset(tensor.storage_offset());
  impl->set_sizes_and_strides(tensor.sizes(), tensor.strides());
  if (tensor.is_conj()) {
    alias._set_conj(true);
  }
  if (tensor.is_neg()) {
    alias._set_neg(true);
  }
  return alias;
}

namespace {

// For the process group: it runs its collectives on the aliases.
TORCH_LIBRARY_FRAGMENT(musa_double, library) {
  library.def("alias_cpu(Tensor(a) tensor) -> Tensor(a)");
  library.impl("alias_cpu", c10::DispatchKey::PrivateUse1, TORCH_FN(alias_cpu));
}

}  // namespace
}  // namespace musa_double
