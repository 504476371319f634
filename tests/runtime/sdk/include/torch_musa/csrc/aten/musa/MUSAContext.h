#pragma once

#include <musa_runtime.h>

#include "torch_musa/csrc/core/MUSAException.h"

namespace at::musa {

inline musaStream_t getCurrentMUSAStream() { return nullptr; }

} // namespace at::musa
