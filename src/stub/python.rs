//! Writing Python literals, as its formatter would.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::text::wrapped;

/// Columns that a line may have.
const WIDTH: usize = 120;

/// A set of strings under a name.
pub(super) fn set(out: &mut String, name: &str, doc: &str, of: &BTreeSet<&str>) {
    head(out, doc);
    if of.is_empty() {
        line(out, &format!("{name}: Final[frozenset[str]] = frozenset()"));
        return;
    }
    line(out, &format!("{name}: Final[frozenset[str]] = frozenset("));
    line(out, "    {");
    for text in of {
        line(out, &format!("        {},", literal(text)));
    }
    line(out, "    }");
    line(out, ")");
}

/// A map of strings under a name. A sentence that is the value of several keys stands once.
pub(super) fn map(out: &mut String, name: &str, doc: &str, of: &BTreeMap<&str, &str>) {
    let shared = shared(name, of);
    if !shared.is_empty() {
        out.push('\n');
    }
    for (text, constant) in &shared {
        entry(out, "", &format!("{constant}: Final = "), text, "");
    }
    head(out, doc);
    open(out, name, "str");
    for (key, value) in of {
        match shared.get(value) {
            Some(constant) => line(out, &format!("    {}: {constant},", literal(key))),
            None => entry(out, "    ", &format!("{}: ", literal(key)), value, ","),
        }
    }
    line(out, "}");
}

/// A map whose values are Python expressions, each on one line.
pub(super) fn expressions(
    out: &mut String,
    name: &str,
    doc: &str,
    kind: &str,
    of: &BTreeMap<&str, String>,
) {
    head(out, doc);
    open(out, name, kind);
    for (key, value) in of {
        line(out, &format!("    {}: {value},", literal(key)));
    }
    line(out, "}");
}

/// One string under a name.
pub(super) fn string(out: &mut String, name: &str, doc: &str, text: &str) {
    head(out, doc);
    line(out, &format!("{name}: Final = {}", literal(text)));
}

/// A string as Python writes it.
pub(super) fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    let quote = if text.contains('"') && !text.contains('\'') {
        '\''
    } else {
        '"'
    };
    out.push(quote);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            other if other == quote => {
                out.push('\\');
                out.push(other);
            }
            other if other.is_control() => {
                // A `String` takes what is written to it.
                let _ = write!(out, "\\u{:04x}", u32::from(other));
            }
            other => out.push(other),
        }
    }
    out.push(quote);
    out
}

fn open(out: &mut String, name: &str, kind: &str) {
    line(out, &format!("{name}: Final[Mapping[str, {kind}]] = {{"));
}

fn head(out: &mut String, doc: &str) {
    out.push('\n');
    for text in wrapped(doc, WIDTH - "#: ".len()) {
        line(out, &format!("#: {text}"));
    }
}

/// Names for the sentences that come more than once.
fn shared<'a>(name: &str, of: &BTreeMap<&str, &'a str>) -> BTreeMap<&'a str, String> {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for value in of.values() {
        *times.entry(value).or_default() += 1;
    }
    times
        .into_iter()
        .filter(|(value, times)| *times > 1 && value.contains(' '))
        .enumerate()
        .map(|(number, (value, _))| (value, format!("_{name}_{}", number + 1)))
        .collect()
}

/// A string behind something, taken apart where the line would be too long.
fn entry(out: &mut String, indent: &str, before: &str, text: &str, behind: &str) {
    let whole = format!("{indent}{before}{}{behind}", literal(text));
    if whole.chars().count() <= WIDTH {
        line(out, &whole);
        return;
    }
    line(out, &format!("{indent}{before}("));
    // The quotes, the space that a piece keeps at its end and escapes need room.
    let escapes = literal(text).chars().count() - text.chars().count();
    let pieces = wrapped(text, WIDTH - indent.len() - "    ".len() - 1 - escapes);
    let last = pieces.len().saturating_sub(1);
    for (number, piece) in pieces.iter().enumerate() {
        let space = if number == last { "" } else { " " };
        line(
            out,
            &format!("{indent}    {}", literal(&format!("{piece}{space}"))),
        );
    }
    line(out, &format!("{indent}){behind}"));
}

fn line(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_and_long_ones_taken_apart() {
        assert_eq!(literal("a \"b\" c"), "'a \"b\" c'");
        assert_eq!(literal("it's \"b\"\\\n"), "\"it's \\\"b\\\"\\\\\\n\"");
        let mut out = String::new();
        let text = "word ".repeat(50);
        let of = BTreeMap::from([("key", text.trim_end())]);
        map(&mut out, "NAME", "What it is.", &of);
        assert!(out.lines().all(|line| line.len() <= WIDTH), "{out}");
        assert_eq!(out.matches("word").count(), 50);
        assert!(out.contains("    \"key\": (\n        \"word word"), "{out}");
    }

    #[test]
    fn a_sentence_of_several_keys_stands_once() {
        let mut out = String::new();
        let text = "a piece of advice for two names";
        map(
            &mut out,
            "NAME",
            "Doc.",
            &BTreeMap::from([("a", text), ("b", text)]),
        );
        assert_eq!(out.matches("advice").count(), 1);
        assert!(out.contains("    \"b\": _NAME_1,\n"), "{out}");
    }
}
