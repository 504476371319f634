// ---- Compare ----
asm("set.gt.u32.f32 %0, %1, %2;" : "=r"(d) : "f"(a), "f"(b));
asm("{ .reg .pred p; setp.ltu.f32 p, %1, %2; selp.u32 %0, %3, 0, p; }" : "=r"(d) : "f"(a), "f"(b), "r"(c));

// ---- Convert ----
asm("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(d) : "f"(a));
asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(high), "f"(low));

// ---- Small ----
asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(d) : "f"(high), "f"(low));
asm("{ .reg .b8 pair; cvt.rn.satfinite.e2m1x2.f32 pair, %1, %2; cvt.u32.u8 %0, pair; }" : "=r"(d) : "f"(high), "f"(low));
asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(d) : "h"(pair));

// ---- Load ----
asm("ld.global.nc.L1::no_allocate.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "l"(p));
asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(p) : "memory");

// ---- Store ----
asm volatile("st.global.cs.f32 [%0], %1;" :: "l"(p), "f"(a));
asm volatile("st.release.sys.global.u32 [%0], %1;" :: "l"(p), "r"(x) : "memory");

// ---- Copy ----
asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to), "l"(from));

// ---- Atomic ----
asm volatile("atom.add.release.gpu.global.s32 %0, [%1], %2;" : "=r"(d) : "l"(p), "r"(a) : "memory");
asm volatile("red.global.add.f32 [%0], %1;" :: "l"(p), "f"(a));

// ---- Move ----
asm("mov.b64 %0, {%1, %2};" : "=l"(d) : "r"(low), "r"(high));

// ---- Shuffle ----
asm("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(d) : "r"(a));

// ---- Elect ----
asm("{ .reg .pred p; elect.sync _|p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(d) : "r"(mask));

// ---- Match ----
asm("match.any.sync.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(mask));

// ---- Permute ----
asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(d) : "r"(a), "r"(b));
asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(selector));

// ---- Multiply ----
asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
             "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
             : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));

// ---- Exchange ----
asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(d) : "r"(row));

// ---- Logic ----
asm("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(d) : "r"(a), "r"(b), "r"(c));

// ---- Barrier ----
asm volatile("bar.sync 0;");

// ---- Arithmetic ----
asm("fma.rz.ftz.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c));
asm("max.NaN.xorsign.abs.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));

// ---- Reduce ----
asm("redux.sync.max.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "r"(mask));

// ---- Video ----
asm("vadd.s32.u32.s32.sat.min %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
