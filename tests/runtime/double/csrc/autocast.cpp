// Which operators autocast("musa") runs in which precision: the lists that torch keeps for its own devices.
// An operator that is in no list falls through.
#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <torch/library.h>

namespace at::autocast {
namespace {

#define LOWER_PRECISION(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, lower_precision_fp)
#define FULL_PRECISION(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32)
#define OPTIONAL_DTYPE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32_set_opt_dtype)
#define WIDEST(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, promote)

TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, library) {
  library.fallback(torch::CppFunction::makeFallthrough());
}

TORCH_LIBRARY_IMPL(aten, AutocastPrivateUse1, m) {  // torch's macros call it m
  AT_FORALL_LOWER_PRECISION_FP(LOWER_PRECISION)
  AT_FORALL_FP32(FULL_PRECISION)
  AT_FORALL_FP32_SET_OPT_DTYPE(OPTIONAL_DTYPE)
  AT_FORALL_PROMOTE(WIDEST)
}

}  // namespace
}  // namespace at::autocast
