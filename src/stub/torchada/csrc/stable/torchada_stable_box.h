// What kernels on libtorch's stable ABI need on MUSA beside their port. A build force-includes it:
// `-include` and the path that torchada.utils.cpp_extension.stable_compat_box_header() gives.
//
// PyTorch has TORCH_BOX, torch::stable::Device and the functions of torch/csrc/stable/ops.h since 2.10.
#pragma once

#include <musa_runtime.h>
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/macros.h>
#include <torch/headeronly/util/Exception.h>

// Branches for releases of CUDA, which MUSA is none of.
#ifndef CUDA_VERSION
#define CUDA_VERSION 0
#endif

// PyTorch's own ask a function of libtorch_cuda for the message.
#undef STD_CUDA_CHECK
#define STD_CUDA_CHECK(EXPR)                                                              \
  do {                                                                                    \
    const musaError_t torchada_error = (EXPR);                                            \
    STD_TORCH_CHECK(                                                                      \
        torchada_error == musaSuccess, "MUSA error: ", musaGetErrorString(torchada_error)); \
  } while (0)
#undef STD_CUDA_KERNEL_LAUNCH_CHECK
#define STD_CUDA_KERNEL_LAUNCH_CHECK() STD_CUDA_CHECK(musaGetLastError())
#define STD_MUSA_CHECK(EXPR) STD_CUDA_CHECK(EXPR)
#define STD_MUSA_KERNEL_LAUNCH_CHECK() STD_CUDA_KERNEL_LAUNCH_CHECK()
