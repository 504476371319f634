#include "h.h"
void f(void **p) { cudaMalloc(p, 1); }
