//! Texts that a program fills in: the placeholders of `str.format` and `%` become holes.

use crate::HOLE;
use torchada_text::{Fragment, TextRange};

/// A text with `{fields}` as `str.format` reads it: fields become holes and doubled braces single
/// ones. `None` where it can't be such a text, or needs not be one: C++ is full of braces, so one
/// doubled brace must be there and every other brace belong to a field.
pub fn fill_format(text: &Fragment) -> Option<Fragment> {
    let bytes = text.text();
    let mut filled = Fragment::default();
    let (mut from, mut at) = (0, 0);
    let mut doubled = false;
    while let Some(&byte) = bytes.get(at) {
        if byte != b'{' && byte != b'}' {
            at += 1;
            continue;
        }
        filled.push_part(text, TextRange::new(from, at));
        if bytes.get(at + 1) == Some(&byte) {
            filled.push_decoded(&[byte]);
            doubled = true;
            at += 2;
        } else {
            let rest = bytes.get(at..).unwrap_or_default();
            let len = rest.iter().position(|&byte| byte == b'}')? + 1;
            if byte == b'}' || !is_field(rest.get(1..len - 1)?) {
                return None;
            }
            filled.push_decoded(HOLE.as_bytes());
            at += len;
        }
        from = at;
    }
    filled.push_part(text, TextRange::new(from, bytes.len()));
    doubled.then_some(filled)
}

/// `name`, `0`, `x.y[0]`, `x!r`, `x:04d`; nothing at all for the next argument.
fn is_field(inside: &[u8]) -> bool {
    let end = inside.iter().position(|&byte| matches!(byte, b':' | b'!'));
    let (name, rest) = inside.split_at(end.unwrap_or(inside.len()));
    let part =
        |&byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'[' | b']');
    name.iter().all(part) && !rest.iter().any(|&byte| matches!(byte, b'\n' | b';' | b'{'))
}

/// A text as `%` reads it: `%(name)s` and, where `short` says so, `%s` and `%d` become holes, `%%` a
/// single sign. `None` where there is none of these.
pub fn fill_percent(text: &Fragment, short: bool) -> Option<Fragment> {
    let bytes = text.text();
    let mut filled = Fragment::default();
    let (mut from, mut at) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at + 1..).unwrap_or_default();
        let len = match rest.first() {
            _ if byte != b'%' => None,
            Some(b'(') => rest
                .iter()
                .position(|&byte| byte == b')')
                .filter(|&end| rest.get(end + 1).is_some_and(u8::is_ascii_alphabetic))
                .map(|end| end + 3),
            Some(b's' | b'd' | b'i' | b'r') if short => Some(2),
            _ => None,
        };
        let Some(len) = len else {
            at += 1;
            continue;
        };
        filled.push_part(text, TextRange::new(from, at));
        filled.push_decoded(HOLE.as_bytes());
        at += len;
        from = at;
    }
    if from == 0 {
        return None;
    }
    filled.push_part(text, TextRange::new(from, bytes.len()));
    Some(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fragment(text: &str) -> Fragment {
        let mut fragment = Fragment::default();
        fragment.push_verbatim(text.as_bytes(), TextRange::new(0, text.len()));
        fragment
    }

    fn shown(filled: Option<Fragment>) -> Option<String> {
        filled.map(|one| String::from_utf8_lossy(one.text()).replace(HOLE, "~"))
    }

    #[test]
    fn fields_are_holes_only_where_every_brace_says_so() {
        let format = |text| shown(fill_format(&fragment(text)));
        assert_eq!(
            format("void {name}({0:d}) {{ x; }}").as_deref(),
            Some("void ~(~) { x; }")
        );
        assert_eq!(format("void f() { int x; }"), None);
        assert_eq!(format("int x{}, y{0};"), None);
    }

    #[test]
    fn names_behind_holes_are_where_they_were() {
        let text = "{a}{{ cudaFree(%(p)s); }}";
        let filled = fill_format(&fragment(text)).expect("a format");
        let filled = fill_percent(&filled, false).expect("a format");
        let at = filled.text().windows(8).position(|one| one == b"cudaFree");
        let at = at.expect("is there");
        let place = filled.to_file(TextRange::new(at, at + 8));
        assert_eq!(
            place.map(|place| place.of(text.as_bytes())),
            Some(&b"cudaFree"[..])
        );
    }
}
