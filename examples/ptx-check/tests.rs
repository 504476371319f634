//! The check itself: whole cases, with what each must come to.

use std::sync::OnceLock;
use std::time::Duration;

use crate::case::Case;
use crate::check::{Limits, Outcome, with};
use crate::compile::Compiler;
use crate::environments::cache;
use crate::hex::encode;
use crate::tests_project::{suite, with_case};
use crate::{case, print};

pub(crate) const LIMITS: Limits = Limits {
    compile: Duration::from_mins(2),
    run: Duration::from_secs(5),
};

/// A line of a file of cases.
fn line(source: &str, input: &[u32], output: &[u32], threads: u32) -> String {
    let bytes = |words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        encode(&bytes)
    };
    serde_json::json!({
        "name": "kernel",
        "source": source,
        "input": bytes(input),
        "output": bytes(output),
        "threads": threads,
    })
    .to_string()
}

/// A kernel around a body that knows its thread as `t`, and has `a` to read and `o` to write.
fn kernel(body: &str) -> String {
    format!(
        "#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <stdint.h>\n\
         __device__ void kernel(const void *in, void *out) {{\n  int t = threadIdx.x;\n\
         const uint32_t *a = (const uint32_t *)in;\n  uint32_t *o = (uint32_t *)out;\n{body}\n}}\n"
    )
}

/// Check the cases of lines, unless the same ports of them were found right before. `is_right` panics where they are not.
fn checked(lines: &[String], limits: &Limits, is_right: impl FnOnce(&[Case], &[Outcome])) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), lines.join("\n")).unwrap();
    let cases = case::read(file.path()).unwrap();
    let suite = suite("ptx-verdicts").with_program_but_rules();
    let suite = cases.iter().fold(suite, with_case);
    suite.run(|| is_right(&cases, &with(compiler(), &cases, limits).unwrap()));
}

/// The compiler of all tests: what it compiles first takes longer than the kernels of most.
pub(crate) fn compiler() -> &'static Compiler {
    static COMPILER: OnceLock<Compiler> = OnceLock::new();
    COMPILER.get_or_init(|| {
        let folder = cache().join("ptx-stand-in");
        std::fs::create_dir_all(&folder).unwrap();
        Compiler::new(&folder, LIMITS.compile).unwrap()
    })
}

/// A kernel's port writes what it has to.
fn is_same(body: &str, input: &[u32], output: &[u32], threads: u32) {
    let lines = [line(&kernel(body), input, output, threads)];
    checked(&lines, &LIMITS, |_, found| {
        assert_eq!(found, [Outcome::Same]);
    });
}

/// Why a case differs.
fn why(outcome: &Outcome) -> &str {
    let Outcome::Differs { why, .. } = outcome else {
        panic!("{outcome:?}");
    };
    why
}

#[test]
fn each_verdict_is_printed() {
    let add = kernel("o[t] = a[t] + 1;");
    let kept = kernel(r#"asm volatile("nanosleep.u32 100;"); o[t] = 1;"#);
    let lines = [
        line(&add, &[1, u32::MAX], &[2, 0], 2),
        line(&add, &[1, 2], &[2, 4], 2),
        line(
            &kept.replace("nanosleep.u32 100;", "wgmma.fence.sync.aligned;"),
            &[0],
            &[1],
            1,
        ),
    ];
    checked(&lines, &LIMITS, |cases, found| {
        assert_eq!(found[0], Outcome::Same);
        assert_eq!(why(&found[1]), "the first difference is at byte 4");
        let Outcome::Kept { codes } = &found[2] else {
            panic!("{:?}", found[2]);
        };
        assert!(
            codes.iter().all(|code| code.starts_with("CPP1")),
            "{codes:?}"
        );

        let mut text = Vec::new();
        print::all(&mut text, cases, found, false).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("expected 0200000004000000"), "{text}");
        assert!(text.contains("got      0200000003000000"), "{text}");
        assert!(
            text.ends_with("3 cases: 1 same, 1 differ, 1 kept\n"),
            "{text}"
        );
        let mut json = Vec::new();
        print::all(&mut json, cases, found, true).unwrap();
        let json = String::from_utf8(json).unwrap();
        let second: serde_json::Value = serde_json::from_str(json.lines().nth(1).unwrap()).unwrap();
        assert_eq!(second["verdict"], "differs");
        assert_eq!(second["got"], "0200000003000000");
    });
}

#[test]
fn warps_and_the_block_meet() {
    let body = "
        __shared__ uint32_t s[64];
        s[t] = a[t];
        __syncthreads();
        uint32_t turned = s[63 - t];
        uint32_t up = __shfl_up_sync(0xffffffffu, turned, 1, 8);
        uint32_t down = __shfl_down_sync(0xffffffffu, turned, 30);
        uint32_t other = __shfl_xor_sync(0xffffffffu, turned, 16);
        uint32_t odd = __ballot_sync(0xffffffffu, t & 1);
        uint32_t half = 0;
        if (t % 32 < 16) half = __shfl_sync(0x0000ffffu, turned, 3) + __activemask();
        int many = __syncthreads_count(t < 40);
        o[6 * t] = up;
        o[6 * t + 1] = down;
        o[6 * t + 2] = other;
        o[6 * t + 3] = odd ^ __match_any_sync(0xffffffffu, t / 32 * 100 + t % 4);
        o[6 * t + 4] = half;
        o[6 * t + 5] = many + __reduce_max_sync(0xffffffffu, turned);";
    let input: Vec<u32> = (0..64).map(|at| at * 3 + 1).collect();
    let turned = |at: u32| input[63 - at as usize];
    let output: Vec<u32> = (0..64)
        .flat_map(|t: u32| {
            let (warp, lane) = (t / 32 * 32, t % 32);
            [
                turned(if lane % 8 == 0 { t } else { t - 1 }),
                turned(if lane < 2 { t + 30 } else { t }),
                turned(t ^ 16),
                0xaaaa_aaaa ^ (0x1111_1111 << (t % 4)),
                if lane < 16 {
                    turned(warp + 3) + 0xffff
                } else {
                    0
                },
                40 + turned(warp),
            ]
        })
        .collect();
    is_same(body, &input, &output, 64);
}

#[test]
fn threads_that_return_are_not_waited_for() {
    let body = "
        if (t == 5) return;
        uint32_t there = __ballot_sync(0xffffffffu, 1);
        __syncthreads();
        o[t] = there;";
    let output: Vec<u32> = (0..32)
        .map(|t| if t == 5 { 0 } else { !(1 << 5) })
        .collect();
    is_same(body, &[], &output, 32);
}

#[test]
fn a_thread_may_spin_until_another_comes() {
    let body = "
        __shared__ volatile uint32_t flag;
        if (t == 0) { while (flag == 0) {} o[0] = flag; }
        else if (t == 63) { __nanosleep(1000); atomicExch((uint32_t *)&flag, 7u); }";
    is_same(body, &[], &[7], 64);
}

#[test]
fn functions_of_cuda_are_those_of_the_header() {
    let body = "
        __shared__ alignas(16) uint32_t s[4 * 32];
        __pipeline_memcpy_async(s + 4 * t, a + 4 * t, 16);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        int mine = s[4 * t];
        unsigned here = t % 4 == 1 ? 0x22222222u : 0xddddddddu;
        o[5 * t] = t % 4 == 1 ? __reduce_add_sync(here, mine) : __reduce_max_sync(here, mine);
        o[5 * t + 1] = __reduce_min_sync(0xffffffffu, mine);
        o[5 * t + 2] = __reduce_min_sync(0xffffffffu, s[4 * t + 1]) + __reduce_xor_sync(0xffffffffu, s[4 * t + 2]);
        __pipeline_memcpy_async(s + 4 * t, a + 4 * t + 2, 8, 3);
        o[5 * t + 3] = s[4 * t];
        o[5 * t + 4] = s[4 * t + 1];";
    let word = |lane: u32, at: u32| {
        let number = 0x0102_0304_u32.wrapping_mul(lane + 1);
        [number ^ 0x8000_0000, lane + 7, 1 << lane, number][at as usize]
    };
    let input: Vec<u32> = (0..128).map(|at| word(at / 4, at % 4)).collect();
    let signed = |lane: u32| word(lane, 0).cast_signed();
    let sum = (0..8).fold(0_i32, |sum, at| sum.wrapping_add(signed(4 * at + 1)));
    let others = (0..32).filter(|lane| lane % 4 != 1);
    let most = others.map(signed).max().unwrap();
    let least = (0..32).map(signed).min().unwrap();
    let output: Vec<u32> = (0..32)
        .flat_map(|lane| {
            let first = if lane % 4 == 1 { sum } else { most };
            [
                first.cast_unsigned(),
                least.cast_unsigned(),
                6, // The least is 7, and all bits together are -1.
                word(lane, 2),
                word(lane, 3) & 0xff,
            ]
        })
        .collect();
    is_same(body, &input, &output, 32);
}

#[test]
fn half_has_its_edges() {
    // Each pair is two halves: a sum that overflows, NaN, denormals, negative zeroes, and both ends of saturation.
    let body = "
        const __half2 *h = (const __half2 *)in;
        __half2 sum = __hadd2(h[t], h[t]), sat = __hfma2_sat(h[t], h[t], h[t]);
        o[3 * t] = *(uint32_t *)&sum;
        o[3 * t + 1] = *(uint32_t *)&sat;
        o[3 * t + 2] = __half_as_ushort(__hmax(__low2half(h[t]), __high2half(h[t])));";
    let input = [
        0x7bff_7e01,
        0x0001_03ff,
        0x8000_0000,
        0xbc00_3c00,
        0x3800_c000,
    ];
    let output = [
        [0x7c00_7fff, 0x3c00_0000, 0x7bff],
        [0x0002_07fe, 0x0001_0400 - 1, 0x03ff],
        [0x8000_0000, 0x0000_0000, 0x0000],
        [0xc000_4000, 0x0000_3c00, 0x3c00],
        [0x3c00_c400, 0x3a00_3c00, 0x3800],
    ];
    is_same(body, &input, output.as_flattened(), 5);
}

#[test]
fn shared_memory_has_addresses_of_32_bits() {
    let body = "
        extern __shared__ uint32_t dynamic[];
        __shared__ alignas(16) uint32_t s[32];
        dynamic[t] = t;
        uint32_t address = (uint32_t)__cvta_generic_to_shared(s) + 4 * t;
        *(uint32_t *)(uintptr_t)address = a[t];
        o[t] = s[t] + dynamic[t] + __isShared(s) + (__isGlobal(out) << 8);";
    let input = [10, 20, 30, 40];
    is_same(body, &input, &[267, 278, 289, 300], 4);
}

#[test]
fn what_cannot_end_or_be_compiled_differs() {
    let lines: Vec<String> = [
        (
            "if (t == 0) __syncwarp(); else __ballot_sync(0xffffffffu, 1);",
            0,
        ),
        ("o[t] = undeclared;", 0),
        ("o[1] = 1;", 0),
        ("o[*(volatile uint32_t *)8] = 1;", 0),
        ("__trap();", 0),
    ]
    .iter()
    .map(|(body, word)| line(&kernel(body), &[], &[*word], 32))
    .collect();
    let parts = [
        "wait for each other",
        "undeclared",
        "beside its output",
        "signal 11",
        "__trap",
    ];
    checked(&lines, &LIMITS, |_, found| {
        for (outcome, part) in found.iter().zip(parts) {
            assert!(why(outcome).contains(part), "{outcome:?}");
        }
    });
}

#[test]
fn a_kernel_that_never_ends_is_stopped() {
    let lines = [line(
        &kernel("while (*(volatile uint32_t *)o == 0) {}"),
        &[],
        &[0],
        1,
    )];
    let limits = Limits {
        compile: LIMITS.compile,
        run: Duration::from_millis(200),
    };
    checked(&lines, &limits, |_, found| {
        assert!(why(&found[0]).contains("did not finish"), "{:?}", found[0]);
    });
}
