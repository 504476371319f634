# head

import a.b as c, d
from . import x
from ..p.q import (y as z, w,)
from __future__ import annotations
from m import *
try:
    pass
except (A, B) as e:
    x = 1
except C:
    y
except:
    pass
else:
    pass
finally:
    z = 2
with a as b, c: pass
with (open(x) as f, g):
    # c1
    a
    # c2
# c3
@dec(1)
async def f(a, b: int, c=1, d: str = "x", *args: T, k, **kw) -> List[int]:
    """doc"""
    return a, *b
def g(a, /, b, *, c): yield from x
class K(A, metaclass=M):
    x: int = 1
    y: Optional[List[int]]
    z: int | None = None
    def m(self): return
for i, (j, k) in enumerate(x), y:
    a[1:2, ::3] += b[..., None]
else:
    del a, b[0]
while True:
    if a and not b: break
    elif c is not d not in e < f: continue
    else: raise X from y
a = b = c, d = lambda x, *y: (x, y)
print(f"a{x!r:>{w}}{{b}} \n {y=}" "z\x41" r"\d", end='')
[x for x in y if z async for q in r]
{**a, 'b': 1}; {1, *c}; (i for i in j); foo(i for i in j); {a: b for a, b in c}
x = (yield)
assert a, "b"
if (n := 10) > 5: pass
await foo()
x = a if b else c
-x ** ~y @ z // 2
(a)
(a, b)
a,
async with a() as b:
    pass
x = not a
def h(self, *, a: "T" = None, **kw: Any): ...
t: Dict[str, a.B] = {}
f'''
{a}
'''
# ---
def f():
    x = 1  # c0
    # c1
        # c1b
  # c1c
    # c1d
if a:
    if b: y; z;  # s
    # q
# w
class A:
    def g(self):
        pass
        # in

    # out

# top
x = (  # c
    a  # d
)
def h(a: a.B[int], b: Optional[X] | None, c: "List[int]" = 1, *, d: (int), e: List[int].x, f: Callable[[int], Tuple[int, ...]], g: x[1], h: List[x.Y[int], a or b]) -> (a, b): pass
for (i) in x: pass
(a) = 1
with a as (b, c), d as e.f: pass
x[a,]; x[*b]; x[(a, b)]; x[a:b, c]; x[:, None]
print(a, file=b)
print (a, b)
f(x for x in y)
f(*(a), **(b))
a = b"\x00\N\u1234" rb"\d"
a = "\N{BULLET}\x41" r"\n" u'\u1234\777\8\q\
' f"{a!r}{{" f'{x:{y}.{z}f}' f"{a,b}" f"{*a,}" f"{x=!r:^20}" f'{yield_}'
x: int
x = yield a, b
return
raise
raise X
lambda: 0
lambda *a, **k: 0
lambda x=1: 0
a if b else c if d else e
x[1:2:3]
a.b.c(d).e
1 + 2j
None, True
*a, b = c
[a, b] = c
a.b, c[0] = d
x = *a, b
not (a and b or c)
(yield)
await x
async for a in b: pass
"a" "b"
("a"
 "b")
@x.y
class B: pass
class C(): pass
class D(A, *B, **C): ...
def k(*, a): pass
def l(a=(1, 2), /): pass
del (a), b
global a
exec("x")
a <b> c
a == b != c
a in b
a is b
{}
{**a}
{a: b, **c}
()
[]
a @= b
a ** -b
-1
not a in b
(a for a in b if c if d)
[x for x, in y]
[x for (x, y) in z]
[*a, *b]
{a for a in b}
x = a = yield
async def z(): return await q
if x:
    pass
elif y:
    pass
# cm
else:
    pass
try: pass
finally: pass
try:
    pass
except A: pass
with a, b as c: pass
with (a, b): pass
with (a): pass
with (yield): pass
with (a) as b: pass
with (a).b(): pass
while (a): pass
import a
from .a import b
from a.b.c import (d,  # x
   e)
assert (a, b)
x = ...
type = 1
match = 2
print
y = print
exec = 3
# ---
a: str | C[[], s] | None
b: A | B[x]
def f() -> a.T | b.c[T, t]: pass
d: A | B[x] | C[y] | E
g: List[A | B[c]]
h: A | (B[x])
i: A[x] | b.c | D[y]
j: A | None | B[x]
k: A | b.c[d]
# ---
[*a.b, c]
[c, *f(x)]
(*a.b, c)
f(1, *a.b.c())
x = \
    a + \
    b
# ---
x = [
  1,  # c
]
def f():
    pass
    # d
# ---


# first
# ---
# ---
if a:
	x = 1
	# t
        # u
y
# ---
a: list[int] | dict[str, int] | None
b: list[int] | dict[str, int] | tuple[int] | set[str] | None
c: list[int] | dict[str, int] | None | set[str]
d: list[int] | None | dict[str, int]
e: list[int] | None | dict[str, int] | None
f: list[int] | (dict[str, int]) | None
g: list[int] | dict[str] | (None) | b
h: list[int] | dict[str] | None | (b)
i: list[int] | dict[str, list[int] | set[int] | None]
j: list[int] | dict[str]


def k(a: list[int] | dict[str, int] | None = None, *, b: (list[int] | dict[str] | c)) -> list[a] | dict[b] | c:
    pass
# ---
a, b, c = *x.shape, y.shape[-1]
[*a.b]
[*a[0].c.d, *e.f]
[*a + b, *c[0] | d]
{*a.b(c).d}
f[*a.b, c]
(*a.b[1:], c)
*a.b, c
[*a.b + c.d(e), [*f.g]]
# ---
type A = B | C
type D = list[int] | None
# ---
with (a as b):
    pass
with (a(), ):
    pass
with (f(a) as b,):
    pass
with ((a) as b):
    pass
