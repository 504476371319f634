// Integer intrinsics.
#pragma once

#include "vectors.h"

inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }

inline unsigned __brev(unsigned x) {
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; ++bit)
        reversed |= (x >> bit & 1u) << (31 - bit);
    return reversed;
}
inline unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}

// As CUDA documents it, with three bits of each selector: its fourth bit, which in PTX asks for the sign, is ignored.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selectors) {
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int at = 0; at < 4; ++at) {
        unsigned selector = selectors >> (4 * at) & 7u;
        result |= (unsigned)(bytes >> (8 * selector) & 0xffu) << (8 * at);
    }
    return result;
}

inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    unsigned long long both = (unsigned long long)high << 32 | low;
    return (unsigned)(both << (shift & 31u) >> 32);
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    unsigned long long both = (unsigned long long)high << 32 | low;
    return (unsigned)(both >> (shift & 31u));
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

inline int __mulhi(int x, int y) { return int((long long)x * y >> 32); }
inline unsigned __umulhi(unsigned x, unsigned y) { return unsigned((unsigned long long)x * y >> 32); }
inline long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
inline int __mul24(int x, int y) {
    long long a = (long long)((unsigned long long)x << 40) >> 40, b = (long long)((unsigned long long)y << 40) >> 40;
    return int(a * b);
}
inline unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }

inline unsigned __sad(int x, int y, unsigned z) {
    unsigned apart = x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x;
    return apart + z;
}
inline unsigned __usad(unsigned x, unsigned y, unsigned z) { return (x > y ? x - y : y - x) + z; }
inline int __hadd(int x, int y) { return int(((long long)x + y) >> 1); }
inline int __rhadd(int x, int y) { return int(((long long)x + y + 1) >> 1); }
inline unsigned __uhadd(unsigned x, unsigned y) { return unsigned(((unsigned long long)x + y) >> 1); }
inline unsigned __urhadd(unsigned x, unsigned y) { return unsigned(((unsigned long long)x + y + 1) >> 1); }

namespace ptx_check {

// The sum of products of parts, where A and B are the types of the parts; b starts at its part `from`.
template <class A, class B, class X, class Y, class C> inline C dot(X a, Y b, C c, int parts, int from) {
    A as[4];
    B bs[4];
    std::memcpy(as, &a, sizeof a);
    std::memcpy(bs, &b, sizeof b);
    unsigned sum = (unsigned)c;
    for (int at = 0; at < parts; ++at)
        sum += (unsigned)((int)as[at] * (int)bs[from + at]);
    return (C)sum;
}

} // namespace ptx_check

inline int __dp4a(int a, int b, int c) { return ptx_check::dot<signed char, signed char>(a, b, c, 4, 0); }
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    return ptx_check::dot<unsigned char, unsigned char>(a, b, c, 4, 0);
}
inline int __dp4a(char4 a, char4 b, int c) { return ptx_check::dot<signed char, signed char>(a, b, c, 4, 0); }
inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
    return ptx_check::dot<unsigned char, unsigned char>(a, b, c, 4, 0);
}

#define PTX_CHECK_DP2A(NAME, FROM)                                                                                     \
    inline int NAME(int a, int b, int c) { return ptx_check::dot<short, signed char>(a, b, c, 2, FROM); }              \
    inline unsigned NAME(unsigned a, unsigned b, unsigned c) {                                                         \
        return ptx_check::dot<unsigned short, unsigned char>(a, b, c, 2, FROM);                                        \
    }                                                                                                                  \
    inline int NAME(short2 a, char4 b, int c) { return ptx_check::dot<short, signed char>(a, b, c, 2, FROM); }         \
    inline unsigned NAME(ushort2 a, uchar4 b, unsigned c) {                                                            \
        return ptx_check::dot<unsigned short, unsigned char>(a, b, c, 2, FROM);                                        \
    }

PTX_CHECK_DP2A(__dp2a_lo, 0)
PTX_CHECK_DP2A(__dp2a_hi, 2)

#undef PTX_CHECK_DP2A

#define PTX_CHECK_ORDER(R, A, B)                                                                                       \
    inline R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }                                                       \
    inline R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }

PTX_CHECK_ORDER(int, int, int)
PTX_CHECK_ORDER(unsigned, unsigned, unsigned)
PTX_CHECK_ORDER(unsigned, int, unsigned)
PTX_CHECK_ORDER(unsigned, unsigned, int)
PTX_CHECK_ORDER(long, long, long)
PTX_CHECK_ORDER(unsigned long, unsigned long, unsigned long)
PTX_CHECK_ORDER(unsigned long, long, unsigned long)
PTX_CHECK_ORDER(unsigned long, unsigned long, long)
PTX_CHECK_ORDER(long long, long long, long long)
PTX_CHECK_ORDER(unsigned long long, unsigned long long, unsigned long long)
PTX_CHECK_ORDER(unsigned long long, long long, unsigned long long)
PTX_CHECK_ORDER(unsigned long long, unsigned long long, long long)

#undef PTX_CHECK_ORDER

inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
