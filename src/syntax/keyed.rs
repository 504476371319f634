//! Keys and their values in YAML, JSON and TOML, found in one pass without a tree. Where the text is
//! broken, what is found may be short; nothing is found that does not stand there.

use crate::text::TextRange;

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
}

/// How deep brackets may be nested.
const DEEPEST: usize = 64;

/// The values in a text that are texts of one line, each with its nearest key.
pub fn keyed(text: &[u8], notation: Notation) -> Vec<Keyed> {
    let mut reader = Reader {
        text,
        at: 0,
        notation,
        found: Vec::new(),
    };
    if text.starts_with(b"\xef\xbb\xbf") {
        reader.at = 3;
    }
    reader.lines();
    reader.found
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    notation: Notation,
    found: Vec<Keyed>,
}

impl Reader<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(b'\n')
    }

    fn line_end(&self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        let len = rest.iter().position(|&byte| byte == b'\n');
        from + len.unwrap_or(rest.len())
    }

    fn behind_blanks(&self, mut at: usize) -> usize {
        while matches!(self.byte(at), b' ' | b'\t' | b'\r') {
            at += 1;
        }
        at
    }

    fn lines(&mut self) {
        let nothing = TextRange::new(0, 0);
        // The keys that are open, with the columns at which they stand.
        let mut open: Vec<(usize, TextRange)> = Vec::new();
        while self.at < self.text.len() {
            let start = self.at;
            let mut at = self.behind_blanks(start);
            let mut is_item = false;
            if self.notation == Notation::Yaml {
                while self.byte(at) == b'-' && matches!(self.byte(at + 1), b' ' | b'\t') {
                    is_item = true;
                    open.retain(|(column, _)| *column <= at - start);
                    at = self.behind_blanks(at + 1);
                }
            }
            let column = at - start;
            self.at = self.line_end(at) + 1;
            if matches!(self.byte(at), b'#' | b'\n')
                || (self.notation == Notation::Toml && self.byte(at) == b'[')
            {
                continue;
            }
            if let Some((key, behind)) = self.key(at) {
                open.retain(|(other, _)| *other < column);
                open.push((column, key));
                let value = self.behind_properties(behind);
                if self.notation == Notation::Yaml && matches!(self.byte(value), b'|' | b'>') {
                    self.skip_block(start, column);
                } else {
                    self.value(value, key, 0);
                }
            } else {
                let key = open.last().map_or(nothing, |(_, key)| *key);
                let brackets = matches!(self.byte(at), b'{' | b'[');
                if is_item || brackets {
                    let value = self.behind_properties(at);
                    if matches!(self.byte(value), b'|' | b'>') {
                        self.skip_block(start, column.saturating_sub(1));
                    } else {
                        self.value(value, key, 0);
                    }
                }
            }
        }
    }

    /// The key at a place, and where its value begins.
    fn key(&self, at: usize) -> Option<(TextRange, usize)> {
        if matches!(self.byte(at), b'{' | b'[') {
            return None;
        }
        let (key, behind) = self.scalar(at, false)?;
        let behind = self.behind_blanks(behind);
        match self.notation {
            Notation::Yaml => {
                let ends = matches!(self.byte(behind + 1), b' ' | b'\t' | b'\r' | b'\n');
                (self.byte(behind) == b':' && ends).then_some((key, behind + 1))
            }
            Notation::Toml => (self.byte(behind) == b'=').then_some((key, behind + 1)),
        }
    }

    /// Behind the anchors and tags of YAML.
    fn behind_properties(&self, from: usize) -> usize {
        let mut at = self.behind_blanks(from);
        while self.notation == Notation::Yaml && matches!(self.byte(at), b'&' | b'!') {
            while !self.byte(at).is_ascii_whitespace() {
                at += 1;
            }
            at = self.behind_blanks(at);
        }
        at
    }

    /// Go behind the lines of a block of text: those that stand deeper than its key.
    fn skip_block(&mut self, line: usize, column: usize) {
        self.at = self.line_end(line) + 1;
        while self.at < self.text.len() {
            let first = self.behind_blanks(self.at);
            if self.byte(first) != b'\n' && first - self.at <= column {
                return;
            }
            self.at = self.line_end(first) + 1;
        }
    }

    /// Take in the value at a place. Moves on only where it goes over several lines.
    fn value(&mut self, at: usize, key: TextRange, depth: usize) -> usize {
        match self.byte(at) {
            b'{' | b'[' if depth < DEEPEST => {
                let end = self.brackets(at, key, depth);
                if depth == 0 {
                    self.at = self.at.max(self.line_end(end) + 1);
                }
                end
            }
            b'#' | b'\n' => at,
            _ => match self.scalar(at, depth > 0) {
                Some((value, behind)) => {
                    if !value.is_empty() {
                        self.found.push(Keyed { key, value });
                    }
                    // Values in brackets may be many on one line.
                    if depth == 0 {
                        self.at = self.at.max(self.line_end(behind) + 1);
                    }
                    behind
                }
                None => at + 1,
            },
        }
    }

    /// Take in a list or a table in brackets; returns the offset behind it.
    fn brackets(&mut self, open: usize, outer: TextRange, depth: usize) -> usize {
        let table = self.byte(open) == b'{';
        let separator = match self.notation {
            Notation::Yaml => b':',
            Notation::Toml => b'=',
        };
        let (mut at, mut key) = (open + 1, outer);
        while at < self.text.len() {
            match self.byte(at) {
                b'}' | b']' => return at + 1,
                b'#' => at = self.line_end(at),
                b',' => {
                    key = outer;
                    at += 1;
                }
                byte if byte.is_ascii_whitespace() || byte == separator => at += 1,
                _ => {
                    let name = table
                        .then(|| self.scalar(at, true))
                        .flatten()
                        .filter(|(_, behind)| self.byte(self.behind_space(*behind)) == separator);
                    match name {
                        Some((name, behind)) if key == outer => {
                            key = name;
                            at = self.behind_space(behind) + 1;
                        }
                        _ => {
                            let end = self.value(at, key, depth + 1);
                            at = end.max(at + 1);
                        }
                    }
                }
            }
        }
        at
    }

    fn behind_space(&self, mut at: usize) -> usize {
        while at < self.text.len() && self.byte(at).is_ascii_whitespace() {
            at += 1;
        }
        at
    }

    /// A text, quoted or not, and where it ends. `inside` brackets, commas and brackets end it.
    fn scalar(&self, at: usize, inside: bool) -> Option<(TextRange, usize)> {
        let first = self.byte(at);
        if first == b'"' || first == b'\'' {
            return self.quoted(at, first);
        }
        let line = self.line_end(at);
        let mut end = at;
        while end < line {
            let byte = self.byte(end);
            let next = self.byte(end + 1);
            let ends = match self.notation {
                Notation::Toml => byte.is_ascii_whitespace() || matches!(byte, b'=' | b'#'),
                Notation::Yaml => {
                    let colon = byte == b':'
                        && (next.is_ascii_whitespace()
                            || (inside && matches!(next, b',' | b'}' | b']')));
                    colon || (byte == b'#' && end > at && self.byte(end - 1).is_ascii_whitespace())
                }
            };
            if ends || (inside && matches!(byte, b',' | b']' | b'}' | b'{' | b'[')) {
                break;
            }
            end += 1;
        }
        let text = self.text.get(at..end).unwrap_or_default();
        let value = TextRange::new(at, at + text.trim_ascii_end().len());
        (!value.is_empty()).then_some((value, end))
    }

    fn quoted(&self, at: usize, quote: u8) -> Option<(TextRange, usize)> {
        let escapes = quote == b'"';
        let long = [quote; 3];
        if self.notation == Notation::Toml && self.text.get(at..at + 3) == Some(&long[..]) {
            let rest = self.text.get(at + 3..)?;
            let end = rest.windows(3).position(|three| three == long)?;
            // Text of several lines: not looked at, and gone over.
            let behind = at + 3 + end + 3;
            return Some((TextRange::new(at, at), behind));
        }
        let mut end = at + 1;
        while end < self.text.len() {
            match self.byte(end) {
                b'\\' if escapes => end += 2,
                byte if byte == quote => return Some((TextRange::new(at + 1, end), end + 1)),
                b'\n' if self.notation == Notation::Toml => return None,
                _ => end += 1,
            }
        }
        None
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
        let text = "a: x # no: y\nb:\n  - 'c: d'\n  - e: {f: g, h: [i, \"j,k\"]}\n    l: m:n\nn: |\n  o: p\n\n  q: r\ns: !!str t\nu:\n- v\n- w\n";
        assert_eq!(
            pairs(text, Notation::Yaml),
            [
                "a=x", "b=c: d", "f=g", "h=i", "h=j,k", "l=m:n", "s=t", "u=v", "u=w"
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
        let text = "# a = \"b\"\n[c.d]\ne = \"f\" # g\nh = [\n  'i', # \"j\"\n  \"k\",\n]\nl = \"\"\"\nm = \"n\"\n\"\"\"\no = { p = \"q\", r = 1 }\n";
        assert_eq!(
            pairs(text, Notation::Toml),
            ["e=f", "h=i", "h=k", "p=q", "r=1"]
        );
    }
}
