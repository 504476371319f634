#include "h.h"
void f(void *p) { cudaFree(p); }
