//! Keys and their values in files of settings: YAML, JSON and TOML. Where the text is broken, what is found may be short;
//! nothing is found that does not stand there.

use toml_parser::Source;
use toml_parser::decoder::Encoding;
use toml_parser::parser::{Event, EventKind, RecursionGuard, parse_document};

use super::yaml::{Form, nodes};
use torchada_text::TextRange;

/// How a file of settings is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// YAML, and JSON, which is a part of it.
    Yaml,
    /// TOML.
    Toml,
}

/// A text under a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keyed {
    /// The nearest key, without quotes; empty where there is none.
    pub key: TextRange,
    /// The value, without quotes.
    pub value: TextRange,
    /// In TOML, what stands in the header above; empty where there is none.
    pub table: TextRange,
    /// In TOML, the key of the table in braces around, `cuda` of `cuda = { version = "12" }`; empty where there is none.
    pub outer: TextRange,
}

/// Where nothing stands.
const NOTHING: TextRange = TextRange { start: 0, end: 0 };

/// How deep brackets of TOML may be nested.
const DEEPEST: u32 = 64;

/// The values in a text that are texts of one line, and the names of their kinds, each with its nearest key.
pub fn keyed(text: &[u8], notation: Notation) -> Vec<Keyed> {
    let mut found = match notation {
        Notation::Yaml => yaml(text),
        Notation::Toml => toml(text),
    };
    found.retain(|one| !one.value.is_empty() && !one.value.of(text).contains(&b'\n'));
    found
}

fn yaml(text: &[u8]) -> Vec<Keyed> {
    let nodes = nodes(text, TextRange::new(0, text.len())).into_iter();
    let texts = nodes.filter(|node| matches!(node.form, Form::Plain | Form::Quoted | Form::Tag));
    texts
        .map(|node| Keyed {
            key: node.key.unwrap_or(NOTHING),
            value: node.value,
            table: NOTHING,
            outer: NOTHING,
        })
        .collect()
}

fn toml(text: &[u8]) -> Vec<Keyed> {
    let valid = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(fault) => {
            let valid = text.get(..fault.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(valid).unwrap_or_default()
        }
    };
    let mut events: Vec<Event> = Vec::new();
    let mut guard = RecursionGuard::new(&mut events, DEEPEST);
    parse_document(&Source::new(valid).lex().into_vec(), &mut guard, &mut ());
    let mut found = Vec::new();
    let (mut key, mut table, mut outer) = (NOTHING, NOTHING, NOTHING);
    let mut around = Vec::new();
    let (mut is_header, mut goes_on) = (false, false);
    for event in events {
        let span = event.span();
        let whole = TextRange::new(span.start(), span.end());
        let range = match event.encoding() {
            Some(Encoding::BasicString | Encoding::LiteralString) => inside(text, whole),
            _ => whole,
        };
        match event.kind() {
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                (is_header, table) = (true, NOTHING);
            }
            // A header that is not closed ends with its line.
            EventKind::Newline | EventKind::StdTableClose | EventKind::ArrayTableClose => {
                (is_header, goes_on) = (false, false);
            }
            EventKind::InlineTableOpen => {
                around.push((key, outer));
                outer = key;
            }
            EventKind::ArrayOpen => around.push((key, outer)),
            EventKind::InlineTableClose | EventKind::ArrayClose => {
                (key, outer) = around.pop().unwrap_or((key, outer));
            }
            EventKind::KeySep => goes_on = true,
            EventKind::SimpleKey if is_header => {
                let start = if table.is_empty() {
                    range.start
                } else {
                    table.start
                };
                (table, goes_on) = (TextRange::new(start, range.end), false);
            }
            // `a.b` is one key.
            EventKind::SimpleKey if goes_on => (key.end, goes_on) = (range.end, false),
            EventKind::SimpleKey => key = range,
            EventKind::Scalar => found.push(Keyed {
                key,
                value: range,
                table,
                outer,
            }),
            _ => {}
        }
    }
    found
}

/// A text in quotes without them; nothing where they are not closed.
fn inside(text: &[u8], whole: TextRange) -> TextRange {
    match whole.of(text) {
        [open, .., close] if open == close => TextRange::new(whole.start + 1, whole.end - 1),
        _ => TextRange::new(whole.start, whole.start),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str, notation: Notation) -> Vec<String> {
        let shown = |range: TextRange| text[range.start..range.end].to_owned();
        keyed(text.as_bytes(), notation)
            .into_iter()
            .map(|one| format!("{}={}", shown(one.key), shown(one.value)))
            .collect()
    }

    #[test]
    fn yaml_gives_each_value_its_nearest_key() {
        let text = "a: x # no: y\nb:\n  - 'c: d'\n  - e: {f: g, h: [i, \"j,k\"]}\n    l: m:n\nn: |\n  o: p\n\n  q: r\ns: !!str t\nu:\n- v\n- !w:x\n- !y z\n";
        assert_eq!(
            pairs(text, Notation::Yaml),
            [
                "a=x", "b=c: d", "f=g", "h=i", "h=j,k", "l=m:n", "s=t", "u=v", "u=w:x", "u=y",
                "u=z"
            ]
        );
    }

    #[test]
    fn json_is_read_as_yaml() {
        let text = "{\n  \"a\": \"x\\\"\",\n  \"b\": {\"c\": [\"y\", 1, {\"d\" : \"z\"}], \"e\": null},\n  \"f\":\n    \"w\"\n}\n";
        assert_eq!(
            pairs(text, Notation::Yaml),
            ["a=x\\\"", "c=y", "c=1", "d=z", "e=null", "f=w"]
        );
    }

    #[test]
    fn toml_leaves_comments_and_long_texts() {
        let text = "# a = \"b\"\n[c.d]\ne = \"f\" # g\nh = [\n  'i', # \"j\"\n  \"k\",\n]\nl = \"\"\"\nm = \"n\"\n\"\"\"\no = { p = \"q\", r = 1 }\ns.t = 2\n";
        assert_eq!(
            pairs(text, Notation::Toml),
            ["e=f", "h=i", "h=k", "p=q", "r=1", "s.t=2"]
        );
    }

    #[test]
    fn toml_gives_each_value_what_it_stands_in() {
        let text = "a = 1\n[b.c]\nd = {e = \"f\", g = [{h = 2}]}\ni = [\"j\"]\n[[k]]\nl = 3\n";
        let shown = |range: TextRange| &text[range.start..range.end];
        let found: Vec<String> = keyed(text.as_bytes(), Notation::Toml)
            .into_iter()
            .map(|one| {
                format!(
                    "{}/{}/{}",
                    shown(one.table),
                    shown(one.outer),
                    shown(one.value)
                )
            })
            .collect();
        assert_eq!(found, ["//1", "b.c/d/f", "b.c/g/2", "b.c//j", "k//3"]);
    }

    #[test]
    fn broken_toml_is_read_as_far_as_it_goes() {
        let text = "a = \"b\nc = {{ d }}\n[e\nf = \"g\"\nh = [\n{% if i %}\n'j',\n]\n";
        assert_eq!(pairs(text, Notation::Toml), ["f=g", "%=if i %", "h=j"]);
        for part in ["[", "a.", "a={", "\"", "a=["] {
            keyed(part.repeat(20_000).as_bytes(), Notation::Toml);
        }
    }
}
