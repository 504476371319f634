//! Cases of the token scan.

use super::{Kind, scan, spelling};

/// The significant tokens of `text`, each with its kind's first letter.
fn tokens(text: &str) -> Vec<String> {
    scan(text.as_bytes())
        .iter()
        .filter(|token| token.is_significant())
        .map(|token| {
            let kind = format!("{:?}", token.kind);
            let bytes = String::from_utf8_lossy(token.of(text.as_bytes())).into_owned();
            format!("{}:{bytes}", &kind[..1])
        })
        .collect()
}

#[test]
fn every_byte_belongs_to_one_token() {
    let texts: [&[u8]; 9] = [
        b"int a = 1'000; // x\n",
        b"#include <a.h\nint",
        b"\"open\nnext",
        b"R\"(never closed",
        b"/* never closed",
        b"\\",
        b"\xff\xfe\x00'",
        b"#error it's\r\nx",
        b"u8R\"toolongdelimiterhere12345(x)\" y",
    ];
    for text in texts {
        let mut at = 0;
        for token in scan(text) {
            assert_eq!(token.start, at);
            assert!(token.end > token.start);
            at = token.end;
        }
        assert_eq!(at, text.len());
    }
}

#[test]
fn raw_strings_end_at_their_own_delimiter() {
    assert_eq!(
        tokens("a R\"(x \" )b\" y)\" b"),
        ["I:a", "S:R\"(x \" )b\" y)\"", "I:b"]
    );
    assert_eq!(
        tokens("u8R\"x(one )\" // two\n)x\" cudaFree"),
        ["S:u8R\"x(one )\" // two\n)x\"", "I:cudaFree"]
    );
    assert_eq!(tokens("R\" (\" x"), ["S:R\" (\"", "I:x"]);
    assert_eq!(tokens("FOR\"(\" x"), ["I:FOR", "S:\"(\"", "I:x"]);
}

#[test]
fn a_digit_separator_opens_no_character() {
    assert_eq!(
        tokens("1'000'000u + 0x1p-3f + .5e+3 'a' L'\\''"),
        [
            "N:1'000'000u",
            "P:+",
            "N:0x1p-3f",
            "P:+",
            "N:.5e+3",
            "C:'a'",
            "C:L'\\''"
        ]
    );
}

#[test]
fn includes_are_found_in_any_spacing() {
    let text = "  #\tinclude/**/<cuda.h>\n# include \"a b.h\" // \"c.h\"\n#include_next<x//y.h>\n";
    assert_eq!(
        tokens(text),
        [
            "P:#",
            "I:include",
            "H:<cuda.h>",
            "P:#",
            "I:include",
            "H:\"a b.h\"",
            "P:#",
            "I:include_next",
            "H:<x//y.h>"
        ]
    );
    assert_eq!(
        tokens("#if __has_include( <a.h> ) && x < y\n"),
        [
            "P:#",
            "I:if",
            "I:__has_include",
            "P:(",
            "H:<a.h>",
            "P:)",
            "P:&",
            "P:&",
            "I:x",
            "P:<",
            "I:y"
        ]
    );
    assert_eq!(
        tokens("x = a #include <b>\n").last().map(String::as_str),
        Some("P:>")
    );
    assert_eq!(tokens("#include \\\n <b>")[2], "H:<b>");
}

#[test]
fn continued_lines_stay_in_their_directive() {
    let text = b"#define A(x) \\\r\n  cudaFree(x) \\ \n  + 1\nint b;";
    let directive: Vec<bool> = scan(text)
        .iter()
        .filter(|token| token.kind == Kind::Identifier)
        .map(|token| token.directive)
        .collect();
    assert_eq!(directive, [true, true, true, true, true, false, false]);
    let text = b"cuda\\\nMalloc(x)";
    let first = scan(text)[0];
    assert_eq!(&*spelling(first.of(text)), b"cudaMalloc");
}

#[test]
fn comments_lie_inside_directives_and_run_on() {
    assert_eq!(
        tokens("#define A /* it's\n two */ cudaX // b \\\n c\nd"),
        ["P:#", "I:define", "I:A", "I:cudaX", "I:d"]
    );
    assert_eq!(
        tokens("/* a */ # /* b */ include <c>"),
        ["P:#", "I:include", "H:<c>"]
    );
    assert_eq!(
        tokens("\"// no\" '/' /*\"*/ x"),
        ["S:\"// no\"", "C:'/'", "I:x"]
    );
}

#[test]
fn the_text_of_an_error_is_prose() {
    assert_eq!(
        tokens("#error it's not cudaMalloc\ncudaFree"),
        ["P:#", "I:error", "P:it's not cudaMalloc", "I:cudaFree"]
    );
    assert_eq!(
        tokens("#if 0\nit's\n#endif\nx").last().map(String::as_str),
        Some("I:x")
    );
}
