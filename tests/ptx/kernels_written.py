"""Statements as people write them: templates of macros, and conditionals of the preprocessor between their literals. What
they write is plain to see, so that no interpreter is needed."""

from case import CASES, words

FILE = """#include <cuda_runtime.h>

{head}
__device__ void {name}(const void *in, void *out) {{
{body}
}}
"""


def written_case(name: str, head: str, body: str, data: bytes, output: bytes, threads: int = 1) -> None:
    """Add a case whose function has these lines."""
    source = FILE.format(name=name, head=head.strip("\n"), body=body.strip("\n"))
    CASES.append({"name": name, "source": source, "input": data.hex(), "output": output.hex(), "threads": threads})


def written() -> None:
    written_case("macros_of_branches", """
#if __CUDA_ARCH__ >= 350
#define LD_NC_V1 "ld.global.cs.nc.u32"
#define LD_NC_V2 "ld.global.cs.nc.v2.u32"
#else
#define LD_NC_V1 "ld.global.cs.u32"
#define LD_NC_V2 "ld.global.cs.v2.u32"
#endif
""", """
  const unsigned *p = (const unsigned *)in;
  unsigned *code32 = (unsigned *)out;
  asm(LD_NC_V1 " {%0}, [%1 + 4];" : "=r"(code32[0]) : "l"(p));
  asm(LD_NC_V2 " {%0, %1}, [%2 + 8];"
      : "=r"(code32[1]), "=r"(code32[2])
      : "l"(p));
""", words(1, 2, 3, 4), words(2, 3, 4))
    written_case("conditionals_in_a_template", """
template <typename T>
__device__ __forceinline__ void ldg64_0(T& r0, T& r1, const void* ptr, bool guard) {
  asm volatile(
      "{.reg .pred p;\\n"
      " setp.ne.b32 p, %3, 0;\\n"
      " @!p mov.b32 %0, 0;\\n"
      " @!p mov.b32 %1, 0;\\n"
#if __CUDACC_VER_MAJOR__ >= 11 && __CUDACC_VER_MINOR__ >= 4 && \\
    __CUDA_ARCH__ >= 750
      " @p ld.global.ca.L2::128B.v2.b32 {%0, %1}, [%2];}\\n"
#else
      " @p ld.global.ca.v2.b32 {%0, %1}, [%2];}\\n"
#endif
      : "=r"(reinterpret_cast<unsigned&>(r0)),
        "=r"(reinterpret_cast<unsigned&>(r1))
      : "l"(ptr), "r"((int)guard));
}
""", """
  const int *numbers = (const int *)in;
  int *result = (int *)out;
  ldg64_0(result[0], result[1], numbers, numbers[0] == 5);
  ldg64_0(result[2], result[3], numbers, numbers[0] == 6);
""", words(5, 7), words(5, 7, 0, 0))
    written_case("constants_in_names", "", """
  const unsigned *p = (const unsigned *)in;
  unsigned *result = (unsigned *)out;
  constexpr int ELEMENTS = 8;
  asm("ld.global.v%3.u%4 {%0, %1}, [%2];"
      : "=r"(result[0]), "=r"(result[1])
      : "l"(p), "n"(ELEMENTS / 4), "n"(ELEMENTS << 2));
""", words(3, 4), words(3, 4))
    written_case("operands_of_text", "", """
  const unsigned *p = (const unsigned *)in;
  unsigned *result = (unsigned *)out;
  static constexpr char ADD[] = "add";
  static constexpr const char TYPE[] = ".u32";
  asm("%3%4 %0, %1, %2;" : "=r"(result[0]) : "r"(p[0]), "n"(5), "C"(ADD), "C"(TYPE));
""", words(3), words(8))
    written_case("macros_in_macros", """
#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)
#define AMOUNT 4
#define ADDED(from, to, number) "{.reg .b16 spare;\\n mov.b16 spare, " TEXT(number) "; add.u16 " TEXT(to) ", " TEXT(from) ", spare;}\\n"
#ifdef __LP64__
#define POINTER "l"
#else
#define POINTER "r"
#endif
""", """
  unsigned *result = (unsigned *)out;
  unsigned value;
  asm("ld.global.u32 %0, [%1];" : "=r"(value) : POINTER(in));
  asm("shl.b32 %0, %1, " TEXT_OF(AMOUNT) ";" : "=r"(result[0]) : "r"(value));
  asm("{.reg .b16 i, r;\\n mov.b32 {i, r}, %1;\\n" ADDED(i, r, 0x7U) "mov.b32 %0, {i, r};}" : "=r"(result[1]) : "r"(value));
""", words(0x00050003), words(0x00500030, 0x000A0003))
    written_case("labels_with_numbers", "", """
  unsigned count = 0;
  asm volatile(
      "{\\n"
      ".reg .pred P1;\\n"
      "AGAIN_%=:\\n"
      "add.u32 %0, %0, 3;\\n"
      "setp.ge.u32 P1, %0, %1;\\n"
      "@P1 bra.uni DONE_%=;\\n"
      "bra.uni AGAIN_%=;\\n"
      "DONE_%=:\\n"
      "}\\n"
      : "+r"(count)
      : "r"(*(const unsigned *)in));
  *(unsigned *)out = count;
""", words(10), words(12))
    written_case("operands_that_are_one_object", """
// The second instruction reads what `b` was before the statement.
__device__ void twice(unsigned &a, const unsigned &b) {
  asm("add.u32 %0, %1, 1;\\n"
      "add.u32 %0, %0, %1;" : "=r"(a) : "r"(b));
}
struct Pair {
  unsigned first, second;
  __device__ void fill(unsigned *to) const {
    asm volatile("st.u32 [%0], 7;\\n"
                 "st.u32 [%0 + 4], %1;" :: "l"(to), "r"(first) : "memory");
  }
};
""", """
  const unsigned *numbers = (const unsigned *)in;
  unsigned *result = (unsigned *)out;
  unsigned value = numbers[0];
  twice(value, value);
  result[0] = value;
  Pair pair = {numbers[0], numbers[1]};
  pair.fill(&pair.first);
  result[1] = pair.first;
  result[2] = pair.second;
  unsigned shown = numbers[1];
  unsigned *at = &shown;
  asm("mov.b32 %0, 9;\\n"
      "add.u32 %1, %2, 0;" : "=r"(*at), "=r"(result[3]) : "r"(shown));
""", words(20, 3), words(41, 7, 20, 3))
    copies()


def copies() -> None:
    """Copies that CUDA makes in the background."""
    written_case("pipeline_of_a_thread", """
#include <cuda/pipeline>
template <int SIZE>
__device__ void fill(cuda::pipeline<cuda::thread_scope_thread> &pipe, int *to, const int *from) {
  ::cuda::memcpy_async(to, from, cuda::aligned_size_t<SIZE>(SIZE), pipe);
}
""", """
  const int *from = (const int *)in;
  int *to = (int *)out;
  auto pipe = cuda::make_pipeline();
  alignas(16) int stages[2][4];
  pipe.producer_acquire();
  fill<16>(pipe, stages[0], from);
  pipe.producer_commit();
  for (int at = 0; at < 2; ++at) {
    pipe.producer_acquire();
    if (at == 0)
      cuda::memcpy_async(stages[1], from + 4, 3 * sizeof(int) + 1, pipe);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    for (int i = 0; i < 3; ++i) to[3 * at + i] = stages[at][i];
    pipe.consumer_release();
  }
  to[6] = ((const char *)stages[1])[12];
  const void *bytes = from;
  cuda::memcpy_async((char *)to + 28, bytes, 3, pipe);
  to[8] = pipe.quit();
""", words(1, 2, 3, 4, 5, 6, 7, 8), words(1, 2, 3, 5, 6, 7, 8, 1, 1))
    written_case("copy_of_a_group", """
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
""", """
  const int *from = (const int *)in;
  const auto block = cg::this_thread_block();
  __shared__ int row[16];
  __shared__ alignas(16) char bytes[32];
  const int size = 10 * sizeof(int);
  row[block.thread_rank() + 8] = 0;
  block.sync();
  cg::memcpy_async(block, row, from, size);
  cg::wait(block);
  if (block.thread_rank() == 7) {
    for (int i = 0; i < 10; ++i) ((int *)out)[i] = row[i];
  }
  block.sync();
  cg::memcpy_async(block, row, 16, from + 8, 2);
  cg::memcpy_async(block, bytes, (const char *)in + 16, cuda::aligned_size_t<16>(16));
  cg::wait_prior<1>(block);
  cooperative_groups::wait_prior<0>(block);
  if (block.thread_rank() == 0) {
    for (int i = 0; i < 3; ++i) ((int *)out)[10 + i] = row[i];
    for (int i = 0; i < 4; ++i) ((int *)out)[13 + i] = ((const int *)bytes)[i];
  }
""", words(*range(20, 30)), words(*range(20, 30), 28, 29, 22, 24, 25, 26, 27), 8)
