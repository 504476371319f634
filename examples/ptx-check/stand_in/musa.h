// A stand-in for MUSA's header of this name.
#pragma once

#include "musa_runtime.h"
