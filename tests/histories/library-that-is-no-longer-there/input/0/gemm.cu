#include "cutlass/pipeline.hpp"
