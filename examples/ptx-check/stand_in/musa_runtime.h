// A stand-in for MUSA's header of this name: the functions of device code, for g++ and a simulated block of threads.
//
// It is written from CUDA's published documentation and the PTX ISA, not from MUSA's headers, and it declares more than
// MUSA is known to have: that a port compiles with it proves nothing about MUSA's headers.
#pragma once

#include <cassert>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "ptx_check/qualifiers.h"

#include "ptx_check/vectors.h"

#include "ptx_check/block.h"

#include "ptx_check/bits.h"
#include "ptx_check/integers.h"
#include "ptx_check/formats.h"
#include "ptx_check/floats.h"
#include "ptx_check/conversions.h"
#include "ptx_check/functions.h"
#include "ptx_check/memory.h"
#include "ptx_check/atomics.h"
#include "ptx_check/warps.h"
#include "ptx_check/barriers.h"
