//! Names that a file declares itself.

use std::collections::BTreeSet;

use crate::align::Scanned;
use crate::scan::{Kind, spelling};

/// Words after which an identifier is used, or is a type, and not declared.
const NO_TYPES: [&[u8]; 34] = [
    b"return",
    b"else",
    b"do",
    b"case",
    b"goto",
    b"throw",
    b"new",
    b"delete",
    b"sizeof",
    b"alignof",
    b"co_await",
    b"co_return",
    b"co_yield",
    b"and",
    b"or",
    b"not",
    b"const",
    b"static",
    b"volatile",
    b"extern",
    b"inline",
    b"constexpr",
    b"mutable",
    b"virtual",
    b"explicit",
    b"friend",
    b"typename",
    b"template",
    b"typedef",
    b"operator",
    b"namespace",
    b"register",
    b"defined",
    b"ifdef",
];

/// The names that `file` declares and that `wanted` asks for: macros, types, functions,
/// variables, enumerators. It goes by the tokens around a name, so it sees most declarations and
/// now and then one that is none.
pub(crate) fn declared(file: &Scanned, wanted: &dyn Fn(&[u8]) -> bool) -> BTreeSet<Vec<u8>> {
    let mut names = BTreeSet::new();
    let mut enumeration = Enumeration::default();
    for at in 0..file.tokens.len() {
        if !file.tokens[at].is_significant() {
            continue;
        }
        let enumerator = enumeration.step(file, at);
        if file.kind(at) != Some(Kind::Identifier) {
            continue;
        }
        let name = spelling(file.bytes(at));
        if wanted(&name) && (enumerator || declares(file, at)) {
            names.insert(name.into_owned());
        }
    }
    names
}

/// Whether the tokens around an identifier say that it is declared here.
fn declares(file: &Scanned, at: usize) -> bool {
    let word = |at: Option<usize>| at.map_or(&b""[..], |at| file.bytes(at));
    let is_type = |at: Option<usize>| {
        at.is_some_and(|at| {
            file.kind(at) == Some(Kind::Identifier)
                && !NO_TYPES.contains(&file.bytes(at))
                && !file.bytes(at).starts_with(b"__")
        })
    };
    let before = file.previous(at);
    let next = file.next(at);
    if word(before) == b"define" {
        return file.tokens[at].directive;
    }
    if file.tokens[at].directive && word(before) == b"undef" {
        return false;
    }
    let ends = matches!(
        word(next),
        b"(" | b";" | b"=" | b"," | b")" | b"[" | b"{" | b":"
    );
    // `a::b` follows no type, and `X::name` declares a member of another.
    let qualified = word(next) == b":" && next.is_some_and(|next| file.bytes(next + 1) == b":");
    if !ends || qualified {
        return false;
    }
    match word(before) {
        b"*" | b"&" => {
            let earlier = before.and_then(|before| file.previous(before));
            is_type(earlier) || matches!(word(earlier), b"(" | b"*" | b"}" | b"const")
        }
        b"}" => matches!(word(next), b";" | b","),
        b">" => word(next) != b"(" && word(next) != b")",
        _ => is_type(before),
    }
}

/// Where in an enumeration the walk is.
#[derive(Default)]
struct Enumeration {
    /// After `enum`, before its braces.
    opening: bool,
    /// Between its braces.
    inside: bool,
    /// Where the next identifier is an enumerator.
    expects: bool,
    /// Open parentheses in an enumerator's value.
    depth: usize,
}

impl Enumeration {
    /// Take the next significant token; true where it is an enumerator.
    fn step(&mut self, file: &Scanned, at: usize) -> bool {
        if file.tokens[at].directive {
            return false;
        }
        let word = file.bytes(at);
        match word {
            b"enum" => {
                *self = Self {
                    opening: true,
                    ..Self::default()
                }
            }
            b"{" if self.opening => {
                *self = Self {
                    inside: true,
                    expects: true,
                    ..Self::default()
                };
            }
            b";" | b"(" if self.opening => self.opening = false,
            b"}" => *self = Self::default(),
            b"(" => self.depth += 1,
            b")" => self.depth = self.depth.saturating_sub(1),
            b"," => self.expects = self.inside && self.depth == 0,
            _ => {
                return std::mem::take(&mut self.expects)
                    && file.kind(at) == Some(Kind::Identifier);
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_told_from_uses() {
        let text = b"#define a(x) x\nint b(int c); T const *d = 0; typedef struct { int e; } f;\n\
            typedef r (*g)(int); enum h { i, j = (1, 2), k }; using l = int; struct m { n o; };\n\
            s<int> p; extern t q; static u v(); auto w = x(y + z); return aa(bb::cc, dd);\n";
        let file = Scanned::new(text.to_vec());
        let names = declared(&file, &|name| name.len() < 3);
        let names: Vec<String> = names
            .iter()
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect();
        let all = "a b c d e f g h i j k l m o p q v w";
        assert_eq!(names.join(" "), all);
    }
}
