// Facts about the stand-in's numbers, each found a second way: exit code 0 where all hold.
//
// Conversions are compared with a search through all values of the narrow format, and with the compiler's own _Float16;
// arithmetic with the machine's under its rounding modes; conversions to integers with PTX's text.

#include <cfenv>
#include <cstdio>
#include <dlfcn.h>
#include <random>
#include <vector>

#include "musa_fp8.h"

static int faults = 0;

static void expect(bool holds, const char *what, double one, double other) {
    if (holds)
        return;
    if (++faults < 20)
        std::printf("%s: %a, %a\n", what, one, other);
}

// The values of a format in ascending order from 0, with their bits.
struct Values {
    std::vector<double> values;
    explicit Values(unsigned count, double (*of)(unsigned)) {
        for (unsigned bits = 0; bits < count; ++bits)
            values.push_back(of(bits));
    }
    // The bits of the value that a magnitude rounds to; beyond the largest one it goes on as if one more existed.
    unsigned rounded(double x, bool negative, ptx_check::Round mode) const {
        unsigned low = 0, high = (unsigned)values.size();
        while (high - low > 1) {
            unsigned middle = (low + high) / 2;
            (values[middle] <= x ? low : high) = middle;
        }
        const double step = low + 1 < values.size() ? values[low + 1] - values[low] : values[low] - values[low - 1];
        const double part = (x - values[low]) / step;
        if (part == 0)
            return low;
        switch (mode) {
        case ptx_check::Round::zero:
            return low;
        case ptx_check::Round::up:
            return negative ? low : low + 1;
        case ptx_check::Round::down:
            return negative ? low + 1 : low;
        case ptx_check::Round::away:
            return part >= 0.5 ? low + 1 : low;
        default:
            return part > 0.5 || (part == 0.5 && (low & 1)) ? low + 1 : low;
        }
    }
};

static double of_half(unsigned bits) { return (double)__builtin_bit_cast(_Float16, (unsigned short)bits); }
static double of_bfloat16(unsigned bits) { return __builtin_bit_cast(float, bits << 16); }
// By the definition in the OCP's text: (-1)^s * 2^(e - bias) * (1 + m / 2^M), and 2^(1 - bias) * m / 2^M where e is 0.
static double of_small(unsigned bits, unsigned mantissa, int bias) {
    const unsigned e = bits >> mantissa, m = bits & ((1u << mantissa) - 1);
    const double part = (double)m / (1u << mantissa);
    return e == 0 ? std::exp2(1 - bias) * part : std::exp2((int)e - bias) * (1 + part);
}
static double of_e4m3(unsigned bits) { return of_small(bits, 3, 7); }
static double of_e5m2(unsigned bits) { return of_small(bits, 2, 15); }

static const ptx_check::Round MODES[] = {ptx_check::Round::nearest, ptx_check::Round::zero, ptx_check::Round::down,
                                         ptx_check::Round::up, ptx_check::Round::away};

template <int E, int M> static void narrow_like(const Values &values, double x, const char *what) {
    const bool negative = std::signbit(x);
    const unsigned infinity = ((1u << E) - 1) << M;
    for (ptx_check::Round mode : MODES) {
        unsigned want = values.rounded(std::fabs(x), negative, mode);
        const bool inward = mode == ptx_check::Round::zero || (mode == ptx_check::Round::up && negative) ||
                            (mode == ptx_check::Round::down && !negative);
        if (std::fabs(x) > values.values.back() && (inward || want > infinity))
            want = inward ? infinity - 1 : infinity;
        want |= (unsigned)negative << (E + M);
        expect(ptx_check::narrow<E, M>(x, mode) == want, what, x, (double)ptx_check::narrow<E, M>(x, mode));
    }
}

// Every finite value, its neighbours and the middles between two, and numbers beyond the largest.
template <int E, int M, class F> static void table(const char *what, double (*of)(unsigned), F more) {
    const unsigned infinity = ((1u << E) - 1) << M;
    const Values values(infinity, of);
    for (unsigned bits = 0; bits < infinity; ++bits) {
        const double x = of(bits), next = bits + 1 < infinity ? of(bits + 1) : x + (x - of(bits - 1));
        const double middle = x + (next - x) / 2;
        expect(ptx_check::widen<E, M>(bits) == x, what, x, bits);
        for (double y : {x, middle, std::nextafter(x, 1e300), std::nextafter(middle, 0.0), std::nextafter(middle, 1e300),
                         std::nextafter(next, 0.0)}) {
            narrow_like<E, M>(values, y, what);
            narrow_like<E, M>(values, -y, what);
            more(y);
            more(-y);
        }
    }
    for (double x : {values.values.back() * 1.5, values.values.back() * 2, values.values.back() * 64}) {
        narrow_like<E, M>(values, x, what);
        narrow_like<E, M>(values, -x, what);
        more(x);
        more(-x);
    }
}

static void check_tables() {
    table<5, 10>("half", of_half, [](double x) {
        const unsigned want = __builtin_bit_cast(unsigned short, (_Float16)x);
        expect(ptx_check::narrow<5, 10>(x) == want, "half against the compiler", x, want);
    });
    table<8, 7>("bfloat16", of_bfloat16, [](double) {});
    table<5, 2>("e5m2", of_e5m2, [](double) {});
    // e4m3 has the bits of 256 to 448 where IEEE has infinity and NaN.
    const Values values(0x7f, of_e4m3);
    for (unsigned bits = 0; bits < 0x7f; ++bits)
        expect(ptx_check::of_e4m3((unsigned char)bits) == of_e4m3(bits), "e4m3", bits, of_e4m3(bits));
    for (double x = 0; x < 2000; x += 1.0 / 2048) {
        unsigned want = values.rounded(x, false, ptx_check::Round::nearest);
        expect(ptx_check::to_e4m3(x, true) == (want > 0x7e ? 0x7e : want), "to e4m3", x, want);
        expect(ptx_check::to_e4m3(-x, false) == (0x80 | (want > 0x7e ? 0x7f : want)), "to e4m3, unsaturated", x, want);
    }
    expect(__float_as_uint(__half2float(__ushort_as_half(0xfe00))) == 0x7fffffffu, "half NaN to float", 0, 0);
    expect(__float_as_uint(__bfloat162float(__ushort_as_bfloat16(0xff81))) == 0xff810000u, "bfloat16 NaN", 0, 0);
    expect(ptx_check::to_e4m3(__builtin_nan(""), true) == 0x7f, "e4m3 of NaN", 0, 0);
    expect(ptx_check::to_e5m2(1e9, true) == 0x7b && ptx_check::to_e5m2(-1e9, false) == 0xfc, "e5m2 saturates", 0, 0);
}

// Arithmetic in float and in half against the machine's own, under its rounding modes.
static void check_arithmetic() {
    std::mt19937_64 random(1);
    const unsigned edges[] = {0, 1, 0x7fffff, 0x800000, 0x3f800000, 0x3f800001, 0x7f7fffff, 0x7f800000, 0x34000000};
    // The stand-in has functions of these names.
    const auto machine_sqrt = (float (*)(float))dlsym(RTLD_NEXT, "sqrtf");
    const auto machine_fma = (float (*)(float, float, float))dlsym(RTLD_NEXT, "fmaf");
    const int machine[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    for (int round = 0; round < 400000; ++round) {
        float v[3];
        for (float &one : v) {
            unsigned bits = (unsigned)random();
            if (random() % 4 == 0)
                bits = edges[random() % 9] | (bits & 0x80000000u);
            else if (random() % 2 == 0)
                bits = (bits & 0x80ffffffu) | 0x3f000000u;
            one = __uint_as_float(bits);
            if (one != one)
                one = 1;
        }
        const volatile float a = v[0], b = v[1], c = v[2];
        float want[4][6];
        for (int mode = 0; mode < 4; ++mode) {
            std::fesetround(machine[mode]);
            const volatile float results[6] = {a + b, a - b, a * b, a / b, machine_sqrt(a), machine_fma(a, b, c)};
            std::memcpy(want[mode], (const void *)results, sizeof results);
        }
        std::fesetround(FE_TONEAREST);
#define PTX_CHECK_MODE(MODE, SUFFIX)                                                                                   \
    {                                                                                                                  \
        const float got[6] = {__fadd_##SUFFIX(a, b), __fsub_##SUFFIX(a, b),  __fmul_##SUFFIX(a, b),                    \
                              __fdiv_##SUFFIX(a, b), __fsqrt_##SUFFIX(a), __fmaf_##SUFFIX(a, b, c)};                   \
        for (int at = 0; at < 6; ++at) {                                                                               \
            const float w = want[MODE][at];                                                                            \
            const bool same = w != w ? __float_as_uint(got[at]) == 0x7fffffffu                                         \
                                     : __float_as_uint(w) == __float_as_uint(got[at]);                                 \
            expect(same, "arithmetic in float, " #SUFFIX, w, got[at]);                                                 \
        }                                                                                                              \
    }
        PTX_CHECK_MODE(0, rn)
        PTX_CHECK_MODE(1, rz)
        PTX_CHECK_MODE(2, rd)
        PTX_CHECK_MODE(3, ru)
        // In half, against long double: 64 bits hold the sum of a product and a number where their exponents are near.
        const __half h[3] = {v[0], v[1], v[2]};
        const long double exact = (long double)(float)h[0] * (float)h[1] + (long double)(float)h[2];
        const unsigned short fused = __builtin_bit_cast(unsigned short, (_Float16)exact);
        const unsigned short got = __half_as_ushort(__hfma(h[0], h[1], h[2]));
        expect(exact != exact ? got == 0x7fff : got == fused, "fma in half", (double)exact, got);
    }
    expect(__double_as_longlong(__dadd_ru(1, 0x1p-80)) == __double_as_longlong(1 + 0x1p-52), "double, up", 0, 0);
    expect(__dadd_rd(1, 0x1p-80) == 1 && __dadd_rz(-1, -0x1p-80) == -1, "double, down and to zero", 0, 0);
    expect(std::signbit(__fadd_rd(1, -1)) && !std::signbit(__fadd_ru(1, -1)), "the sign of a sum of zero", 0, 0);
}

static void check_integers() {
    const float nan = __builtin_nanf("");
    expect(__float2int_rn(2.5f) == 2 && __float2int_rn(3.5f) == 4 && __float2int_rn(-2.5f) == -2, "ties", 0, 0);
    expect(__float2int_rz(-2.9f) == -2 && __float2int_rd(-2.1f) == -3 && __float2int_ru(2.1f) == 3, "modes", 0, 0);
    expect(__float2int_rz(nan) == 0 && __float2uint_rz(nan) == 0, "NaN", 0, 0);
    expect(__float2ll_rz(nan) == LLONG_MIN && __float2ull_rz(nan) == 1ull << 63, "NaN in 64 bits", 0, 0);
    expect(__double2int_rz(nan) == INT_MIN && __double2uint_rz(nan) == 1u << 31, "NaN from double", 0, 0);
    expect(__float2int_rz(3e9f) == INT_MAX && __float2int_rz(-3e9f) == INT_MIN, "int", 0, 0);
    expect(__float2int_rz(0x1p31f) == INT_MAX && __float2uint_rz(0x1p32f) == UINT_MAX, "one too large", 0, 0);
    expect(__float2uint_rz(-1.f) == 0 && __float2uint_rz(5e9f) == UINT_MAX && __float2uint_rz(3e9f) == 3000000000u,
           "uint", 0, 0);
    expect(__float2ll_rz(1e19f) == LLONG_MAX && __float2ull_rz(1e19f) == 9999999980506447872ull, "64 bits", 0, 0);
    expect(__half2short_rn(__half(40000.f)) == 32767 && __half2ushort_rz(__half(-3.f)) == 0, "short", 0, 0);
    expect(__int2float_rn(0x7fffffff) == 0x1p31f && __int2float_rz(0x7fffffff) == 0x1.fffffep30f, "to float", 0, 0);
    expect(__ull2float_ru(1ull << 62 | 1) == 0x1.000002p62f && __ll2float_rd(-1ll - (1ll << 60)) == -0x1.000002p60f,
           "64 bits to float", 0, 0);
    expect(__ll2double_rz((1ll << 53) + 1) == 0x1p53 && __ull2double_ru((1ull << 53) + 1) == 0x1p53 + 2, "to double",
           0, 0);
    expect(__int2half_rn(65520) == __half(HUGE_VALF) && (float)__int2half_rz(65520) == 65504.f, "to half", 0, 0);
    expect(__float2char_rn_sat(200.5f) == 127 && __float2char_rn_sat(-200.f) == -128 && __float2char_rn_sat(nan) == 0,
           "to char", 0, 0);
    expect(__float_as_uint(fminf(0.f, -0.f)) == 1u << 31 && fminf(nan, 1.f) == 1.f, "least", 0, 0);
    expect(__float_as_uint(fmaxf(nan, nan)) == 0x7fffffffu && !std::signbit(fmaxf(-0.f, 0.f)), "largest", 0, 0);
    for (float x : {rintf(nan), floorf(-nan), sqrtf(-1.f), fmaf(HUGE_VALF, 0.f, 1.f)})
        expect(__float_as_uint(x) == 0x7fffffffu, "the NaN of a function", x, 0);
    expect(rintf(2.5f) == 2 && std::signbit(rintf(-0.3f)) && floorf(-0.3f) == -1 && ceilf(0.3f) == 1, "whole", 0, 0);
    expect(__saturatef(nan) == 0 && __saturatef(2.f) == 1 && __saturatef(-1.f) == 0, "saturation", 0, 0);
    expect(__float_as_uint(__musa_float_to_tf32(__uint_as_float(0x3f801000))) == 0x3f802000, "tf32", 0, 0);
}

static void check_bits() {
    std::mt19937_64 random(2);
    for (int round = 0; round < 10000; ++round) {
        const unsigned a = (unsigned)random(), b = (unsigned)random(), shift = (unsigned)random() % 70;
        const unsigned s = shift & 31, c = shift > 32 ? 32 : shift;
        expect(__funnelshift_l(a, b, shift) == (s ? b << s | a >> (32 - s) : b), "shift left", a, b);
        expect(__funnelshift_r(a, b, shift) == (s ? a >> s | b << (32 - s) : a), "shift right", a, b);
        expect(__funnelshift_lc(a, b, shift) == (c == 32 ? a : __funnelshift_l(a, b, c)), "clamped left", a, b);
        expect(__funnelshift_rc(a, b, shift) == (c == 32 ? b : __funnelshift_r(a, b, c)), "clamped right", a, b);
        const int i = (int)a, j = (int)b;
        const int dot = (signed char)a * (signed char)b + (signed char)(a >> 8) * (signed char)(b >> 8) +
                        (signed char)(a >> 16) * (signed char)(b >> 16) + (signed char)(a >> 24) * (signed char)(b >> 24);
        expect(__dp4a(i, j, 7) == dot + 7, "dp4a", a, b);
        expect(__dp2a_hi(i, j, 1) == (short)a * (signed char)(b >> 16) + (short)(a >> 16) * (signed char)(b >> 24) + 1,
               "dp2a", a, b);
    }
    expect(__byte_perm(0x33221100, 0x77665544, 0x7531) == 0x77553311, "byte_perm", 0, 0);
    expect(__clz(0) == 32 && __clz(1) == 31 && __clzll(1) == 63 && __ffs(0) == 0 && __ffs(8) == 4, "count", 0, 0);
    expect(__brev(1) == 0x80000000u && __brevll(2) == 1ull << 62 && __popcll(~0ull) == 64, "reverse", 0, 0);
    expect(__mulhi(INT_MIN, INT_MIN) == 1 << 30 && __umulhi(~0u, ~0u) == 0xfffffffeu, "mulhi", 0, 0);
    expect(__mul24(0x01800000, 2) == -0x1000000 && __umul24(0xff000002, 3) == 6, "mul24", 0, 0);
    expect(__sad(INT_MIN, INT_MAX, 1) == 0 && __usad(1, 3, 4) == 6, "sad", 0, 0);
}

void ptx_check_kernel(const void *, void *out) {
    check_tables();
    check_arithmetic();
    check_integers();
    check_bits();
    *(int *)out = faults;
}
