// Bit casts.
#pragma once

#include <cstring>

namespace ptx_check {

template <class To, class From> inline To bit_cast(From from) {
    static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

} // namespace ptx_check

inline int __float_as_int(float x) { return ptx_check::bit_cast<int>(x); }
inline unsigned __float_as_uint(float x) { return ptx_check::bit_cast<unsigned>(x); }
inline float __int_as_float(int x) { return ptx_check::bit_cast<float>(x); }
inline float __uint_as_float(unsigned x) { return ptx_check::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return ptx_check::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return ptx_check::bit_cast<double>(x); }
inline int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return int(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
    unsigned long long bits = (unsigned long long)(unsigned)high << 32 | (unsigned)low;
    return __longlong_as_double((long long)bits);
}
