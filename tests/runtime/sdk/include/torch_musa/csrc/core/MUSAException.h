#pragma once

#include <musa_runtime.h>
#include <stdexcept>

#define C10_MUSA_CHECK(EXPR) \
    if ((EXPR) != musaSuccess) throw std::runtime_error(musaGetErrorString(musaGetLastError()))
#define C10_MUSA_KERNEL_LAUNCH_CHECK() C10_MUSA_CHECK(musaGetLastError())
