//! What is read of text: cases, hexadecimal digits, functions and asm statements; and how outputs are compared.

use crate::compare::difference;
use crate::port::assembly;
use crate::{case, entry, hex, shared};

/// What is wrong with a file of cases.
fn fault(text: &str) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let error = format!("{:#}", case::read(file.path()).unwrap_err());
    error.replace(&file.path().display().to_string(), "CASES")
}

#[test]
fn a_bad_line_is_named_with_what_to_do() {
    let good = serde_json::json!({
        "name": "a", "source": "__device__ void a(const void *in, void *out) {}",
        "input": "", "output": "00", "threads": 1, "note": "further keys are fine",
    });
    let with = |key: &str, value: serde_json::Value| {
        let mut line = good.clone();
        line[key] = value;
        fault(&format!("{good}\n\n{line}\n"))
    };
    assert!(
        with("input", "0g".into())
            .starts_with("CASES:3: input: 'g' is no hexadecimal digit: write")
    );
    assert!(with("output", "123".into()).starts_with("CASES:3: output: there is an odd number"));
    assert!(
        with("threads", 129.into()).starts_with("CASES:3: threads: 129 is not between 1 and 128")
    );
    assert!(
        with("source", "int x;".into()).starts_with("CASES:3: source: there is no function: write")
    );
    assert!(with("tolerance", (-1).into()).starts_with("CASES:3: tolerance: write"));
    assert!(fault("{\"name\": 1}").starts_with("CASES:1: write an object with name, source"));
    assert!(fault("\n").starts_with("CASES:1: there is no case"));
}

#[test]
fn bytes_and_digits_belong_together() {
    assert_eq!(hex::decode("0x00 fF\n10"), Ok(vec![0, 255, 16]));
    assert_eq!(hex::encode(&[0, 255, 16]), "00ff10");
    assert!(hex::decode("é0").is_err());
}

#[test]
fn the_function_is_found() {
    let source = "// void no(const void *a, void *b) {}\n\
        static __device__ void helper(int *x, void *y) {}\n\
        __device__ __forceinline__ void first(const void *in, void *out) {}\n\
        __device__ void second(const void* __restrict__ in,\n void * __restrict__ out) {\n}\n";
    assert_eq!(entry::name(source, "first").as_deref(), Some("first"));
    assert_eq!(entry::name(source, "a case").as_deref(), Some("second"));
    assert_eq!(entry::name("void f(const void *in);", "f"), None);
}

#[test]
fn asm_statements_are_found_but_not_mere_barriers() {
    let count = |text: &str| assembly::statements(text).len();
    assert_eq!(count("asm volatile(\"\" ::: \"memory\");"), 0);
    assert_eq!(count("asm(\"\"\n\"trap;\");"), 1);
    assert_eq!(
        count("__asm__ __volatile__(R\"(exit;)\" \"\\n\"); // asm(\"trap;\")"),
        1
    );
    assert_eq!(count("const char *s = \"asm(x)\"; int asm_count(int);"), 0);
    let text = "f(); asm(\"a, (%0);\" : : \"r\"(x)); g();";
    assert_eq!(
        &text[assembly::statements(text)[0].clone()],
        "asm(\"a, (%0);\" : : \"r\"(x))"
    );
}

#[test]
fn arrays_of_the_launch_are_declared_for_the_linker() {
    let (source, names) =
        shared::declare("extern __shared__ __align__(16) float s[]; __shared__ int t[2];").unwrap();
    assert_eq!(
        source,
        "extern            __align__(16) float s[]; __shared__ int t[2];"
    );
    assert_eq!(names, ["s"]);
    assert_eq!(shared::declare("__shared__ int t[2];"), None);
}

#[test]
fn a_tolerance_is_relative_or_in_units_and_only_for_floats() {
    let differs = |want: f32, got: f32, tolerance: f64| {
        difference(&want.to_le_bytes(), &got.to_le_bytes(), Some(tolerance)).is_some()
    };
    let next = |one: f32| f32::from_bits(one.to_bits() + 1);
    assert!(!differs(1000.0, 1000.5, 1e-3));
    assert!(differs(1000.0, 1002.0, 1e-3));
    assert!(!differs(0.0, 0.0005, 1e-3));
    assert!(!differs(1.0, next(1.0), 1.0));
    assert!(differs(1.0, next(next(1.0)), 1.0));
    assert!(!differs(0.0, -0.0, 1.0));
    assert!(!differs(f32::NAN, -f32::NAN, 1e-3));
    assert!(differs(f32::INFINITY, f32::MAX, 1e-3));
    assert!(differs(f32::from_bits(5), f32::from_bits(6), 1e-3));
    assert_eq!(difference(&[1, 2, 3], &[1, 2, 4], None), Some(2));
    assert_eq!(difference(&[1, 2, 3], &[1, 2, 4], Some(0.1)), Some(0));
}
