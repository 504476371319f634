// Arithmetic in double with a rounding mode: the machine's own. Compiled so that nothing is moved over a change of it.

#include <cfenv>
#include <cmath>

#include "ptx_check/floats.h"

namespace ptx_check {

double calculate(Double what, Round mode, double first, double second, double third) {
    volatile double a = first, b = second, c = third, result = 0;
    const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    std::fesetround(modes[(int)mode]);
    switch (what) {
    case Double::add:
        result = a + b;
        break;
    case Double::subtract:
        result = a - b;
        break;
    case Double::multiply:
        result = a * b;
        break;
    case Double::divide:
        result = a / b;
        break;
    case Double::fma:
        result = std::fma(a, b, c);
        break;
    case Double::square_root:
        result = std::sqrt(a);
        break;
    }
    std::fesetround(FE_TONEAREST);
    return result;
}

} // namespace ptx_check
