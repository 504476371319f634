use super::*;
use crate::{LexOptions, lex};

fn shown(source: &str) -> Vec<String> {
    let tokens = lex(source.as_bytes(), LexOptions::default());
    let known = |name: &[u8]| match name {
        b"VERSION" => Macro::Value(4020),
        _ => Macro::Unknown,
    };
    let found = declared(source.as_bytes(), &tokens, &known);
    let show = |one: Declaration| {
        let path = if one.path.is_empty() {
            String::new()
        } else {
            format!("{}::", one.path)
        };
        let what = match one.what {
            DeclarationKind::Function(function) => {
                let types = function.parameters.iter().map(ToString::to_string);
                format!("({})", types.collect::<Vec<_>>().join(", "))
            }
            DeclarationKind::Type { defined } => format!(" type {defined}"),
            DeclarationKind::Alias(alias) => format!(" = {alias}"),
            DeclarationKind::Enumerator(value) => format!(" enumerator {value:?}"),
            DeclarationKind::Macro(body) => format!(" macro {:?} {:?}", body.value, body.alias),
            DeclarationKind::Other => " other".to_owned(),
            DeclarationKind::Member => " member".to_owned(),
        };
        format!("{path}{}{what}", one.name)
    };
    found.declarations.into_iter().map(show).collect()
}

#[test]
fn functions_are_found_behind_macros() {
    let source = "
        #ifdef __cplusplus
        extern \"C\" {
        #endif
        extern __host__ __builtin__ err_t API fooMalloc(void **p, size_t size);
        __device__ __attribute__((weak)) err_t bar(const struct S *s, unsigned long int n = 3, ...);
        static __inline__ __host__ F4 make_f4(float x, float y) { int inside(3); return x; }
        template <class T, int N = 3> __global__ __launch_bounds__(3) void tmpl(T *a, P<int, T> b) {}
        err_t fooNone(void) __attribute__((deprecated(\"x\")));
        #ifdef __cplusplus
        }
        #endif
        err_t fooEnd(err_t (*call)(int), int values[4]);";
    assert_eq!(
        shown(source),
        [
            "fooMalloc(void **, size_t)",
            "bar(S *, unsigned long)",
            "make_f4(float, float)",
            "tmpl(T *, P)",
            "fooNone()",
            "fooEnd(function *, int *)",
        ]
    );
}

#[test]
fn types_enumerators_and_aliases_are_found() {
    let source = "
        typedef enum __builtin__ fooError_enum { A = 0, B, C DEPRECATED = 1 << 4, D = C | 1 } fooError_t;
        typedef struct S_st *S, T;
        struct __builtin__ __align__(16) V { int x; void f(int); struct { int y; } inner; };
        typedef void (CB *call_t)(S stream, void *data);
        typedef unsigned long long ptr_t; typedef int four_t[4];
        typedef enum { E } mode_t OLD; typedef struct info* info_t OLD_TYPE;
        typedef struct { int z; } N, *P; using X = Y; enum class Scoped : int { One };
        namespace a { inline namespace b { int f(int); } extern const int v; }";
    assert_eq!(
        shown(source),
        [
            "fooError_enum type true",
            "A enumerator Some(0)",
            "B enumerator Some(1)",
            "C enumerator Some(16)",
            "D enumerator Some(17)",
            "fooError_t = fooError_enum",
            "S_st type false",
            "S = S_st *",
            "T = S_st",
            "V type true",
            "V::x member",
            "V::f member",
            "V::y member",
            "V::inner member",
            "call_t = function *",
            "ptr_t = unsigned long long",
            "four_t = int *",
            "E enumerator Some(0)",
            "mode_t type true",
            "info type false",
            "info_t = info *",
            "z member",
            "N type true",
            "P = N *",
            "X = Y",
            "Scoped type true",
            "Scoped::One enumerator Some(0)",
            "a::b::f(int)",
            "a::v other",
        ]
    );
}

#[test]
fn conditionals_and_macros_are_followed() {
    let source = "
        #define fooAlloc fooAlloc_v2
        #define LIMIT (64 * 2)
        #define CALL(x) x
        #if 0
        int never(int);
        #endif
        #if VERSION >= 5000
        int later(int);
        #elif VERSION >= 4000
        int now(int);
        #else
        int before(int);
        #endif
        int split(int a,
        #ifdef TESTED
          int b
        #else
          long b, long c
        #endif
        );
        DECLARE(made);
        int end(int);";
    assert_eq!(
        shown(source),
        [
            "fooAlloc macro None Some(\"fooAlloc_v2\")",
            "LIMIT macro Some(128) None",
            "CALL macro None None",
            "now(int)",
            "split(int, int)",
            "end(int)",
        ]
    );
    let tokens = lex(source.as_bytes(), LexOptions::default());
    let found = declared(source.as_bytes(), &tokens, &|_| Macro::Unknown);
    let names = |list: &[(Box<str>, u32)]| -> Vec<String> {
        list.iter().map(|(name, _)| name.to_string()).collect()
    };
    assert_eq!(names(&found.tested), ["VERSION", "VERSION", "TESTED"]);
    assert_eq!(names(&found.handed), ["made"]);
}

#[test]
fn any_bytes_are_read_to_their_end() {
    for source in [
        "}}} ) int f(",
        "template <",
        "enum {",
        "typedef",
        "#if 0\nint f(int);",
        "struct X {{{ int",
        "typedef struct { #if 0\n",
        "namespace { extern \"C\" {",
        "#else\n#endif\n#endif\nint g(int);",
    ] {
        shown(source);
    }
}
