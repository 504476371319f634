//! Conditions of the preprocessor, worked out as far as the macros in them are known.

use crate::align::Scanned;
use crate::scan::{Kind, spelling};

/// What a compiler knows of a macro.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    /// It is defined with this value.
    Value(i64),
    /// It is not defined, which is 0 in a condition.
    Undefined,
    /// It may be anything.
    Nothing,
}

/// A line that opens a branch by a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Condition {
    /// The index of its `#`.
    pub(crate) hash: usize,
    /// The index of `if`, `elif`, `ifdef` or `ifndef`.
    word: usize,
    /// The tokens after that word that mean something.
    pub(crate) tokens: Vec<usize>,
}

/// Every condition of a file, in order.
pub(crate) fn conditions(file: &Scanned) -> Vec<Condition> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < file.tokens.len() {
        let opens = file.tokens[at].directive && file.bytes(at) == b"#";
        let word = opens.then(|| file.next(at)).flatten();
        let Some(word) = word.filter(|word| is_condition(file.bytes(*word))) else {
            at += 1;
            continue;
        };
        let mut tokens = Vec::new();
        let mut end = word + 1;
        while let Some(token) = file.tokens.get(end).filter(|token| token.directive) {
            if token.is_significant() {
                if token.of(&file.text) == b"#" && ends_line(file, end) {
                    break;
                }
                tokens.push(end);
            }
            end += 1;
        }
        found.push(Condition {
            hash: at,
            word,
            tokens,
        });
        at = end;
    }
    found
}

fn is_condition(word: &[u8]) -> bool {
    matches!(
        word,
        b"if" | b"elif" | b"ifdef" | b"ifndef" | b"elifdef" | b"elifndef"
    )
}

/// Whether the token stands first on a line of its own.
fn ends_line(file: &Scanned, at: usize) -> bool {
    let before = file.previous(at).map_or(0, |before| before + 1);
    (before..at).any(|space| {
        let bytes = file.bytes(space);
        file.kind(space) == Some(Kind::Space) && bytes.contains(&b'\n') && !bytes.contains(&b'\\')
    })
}

impl Condition {
    /// Whether the condition holds; `None` if it has names whose values are not known, or is not understood.
    pub(crate) fn holds(&self, file: &Scanned, known: &dyn Fn(&[u8]) -> Known) -> Option<bool> {
        let mut reader = Reader {
            file,
            tokens: &self.tokens,
            at: 0,
            known,
        };
        let defined = |reader: &mut Reader<'_>| reader.name().map(i64::from);
        let value = match file.bytes(self.word) {
            b"ifdef" | b"elifdef" => defined(&mut reader),
            b"ifndef" | b"elifndef" => defined(&mut reader).map(|value| 1 - value),
            _ => {
                let value = reader.choice();
                // What was not read to its end was not understood.
                value.filter(|_| reader.at == reader.tokens.len())
            }
        };
        value.map(|value| value != 0)
    }
}

struct Reader<'r> {
    file: &'r Scanned,
    tokens: &'r [usize],
    at: usize,
    known: &'r dyn Fn(&[u8]) -> Known,
}

/// Binary operators, those that bind weakest first.
const LEVELS: [&[&str]; 9] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Reader<'_> {
    /// The operator at the reader, of one or two punctuation marks side by side.
    fn operator(&self) -> &'static str {
        const ALL: [&str; 21] = [
            "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "|", "^", "&", "<", ">", "+", "-", "*",
            "/", "%", "!", "?", ":",
        ];
        let Some(&first) = self.tokens.get(self.at) else {
            return "";
        };
        let mut text = self.file.bytes(first).to_vec();
        if let Some(&second) = self.tokens.get(self.at + 1)
            && self.file.tokens[first].end == self.file.tokens[second].start
        {
            text.extend_from_slice(self.file.bytes(second));
        }
        let mut operators = ALL.into_iter();
        operators
            .find(|operator| text.starts_with(operator.as_bytes()))
            .unwrap_or_default()
    }

    fn take(&mut self, word: &[u8]) -> bool {
        let here = self.tokens.get(self.at).map(|at| self.file.bytes(*at));
        let found = here == Some(word);
        self.at += usize::from(found);
        found
    }

    /// `a ? b : c`
    fn choice(&mut self) -> Option<i64> {
        let test = self.level(0);
        if self.operator() != "?" {
            return test;
        }
        self.at += 1;
        let then = self.choice();
        if !self.take(b":") {
            return None;
        }
        let otherwise = self.choice();
        match test {
            Some(0) => otherwise,
            Some(_) => then,
            None => then.filter(|_| then == otherwise),
        }
    }

    fn level(&mut self, level: usize) -> Option<i64> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.level(level + 1);
        loop {
            let operator = self.operator();
            if !operators.contains(&operator) {
                return left;
            }
            self.at += operator.len();
            let right = self.level(level + 1);
            left = apply(operator, left, right);
        }
    }

    fn unary(&mut self) -> Option<i64> {
        match self.operator() {
            "!" => {
                self.at += 1;
                return self.unary().map(|value| i64::from(value == 0));
            }
            "-" => {
                self.at += 1;
                return self.unary().and_then(i64::checked_neg);
            }
            "+" => {
                self.at += 1;
                return self.unary();
            }
            _ => {}
        }
        if self.take(b"(") {
            let value = self.choice();
            return self.take(b")").then_some(value).flatten();
        }
        let at = *self.tokens.get(self.at)?;
        self.at += 1;
        match self.file.kind(at) {
            Some(Kind::Number) => number(self.file.bytes(at)),
            Some(Kind::Identifier) if self.file.bytes(at) == b"defined" => {
                let open = self.take(b"(");
                let value = self.name().map(i64::from);
                if open && !self.take(b")") {
                    return None;
                }
                value
            }
            Some(Kind::Identifier) => {
                let value = match (self.known)(&spelling(self.file.bytes(at))) {
                    Known::Value(value) => Some(value),
                    Known::Undefined => Some(0),
                    Known::Nothing => None,
                };
                self.arguments();
                value
            }
            _ => None,
        }
    }

    /// Step over the arguments of a macro that is called.
    fn arguments(&mut self) {
        let mut depth = 0_usize;
        while let Some(&at) = self.tokens.get(self.at) {
            match self.file.bytes(at) {
                b"(" => depth += 1,
                b")" if depth > 0 => depth -= 1,
                _ if depth > 0 => {}
                _ => return,
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// Whether the macro at the reader is defined.
    fn name(&mut self) -> Option<bool> {
        let at = *self.tokens.get(self.at)?;
        self.at += 1;
        match (self.known)(&spelling(self.file.bytes(at))) {
            Known::Value(_) => Some(true),
            Known::Undefined => Some(false),
            Known::Nothing => None,
        }
    }
}

/// What an operator makes of two values, either of which may not be known.
fn apply(operator: &str, left: Option<i64>, right: Option<i64>) -> Option<i64> {
    let truth = |value: Option<i64>| value.map(|value| value != 0);
    let either = match operator {
        "&&" if truth(left) == Some(false) || truth(right) == Some(false) => Some(0),
        "||" if truth(left) == Some(true) || truth(right) == Some(true) => Some(1),
        _ => None,
    };
    if either.is_some() {
        return either;
    }
    let (left, right) = (left?, right?);
    match operator {
        "||" => Some(i64::from(left != 0 || right != 0)),
        "&&" => Some(i64::from(left != 0 && right != 0)),
        "==" => Some(i64::from(left == right)),
        "!=" => Some(i64::from(left != right)),
        "<" => Some(i64::from(left < right)),
        ">" => Some(i64::from(left > right)),
        "<=" => Some(i64::from(left <= right)),
        ">=" => Some(i64::from(left >= right)),
        "|" => Some(left | right),
        "^" => Some(left ^ right),
        "&" => Some(left & right),
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        "%" => left.checked_rem(right),
        _ => None,
    }
}

/// The value of an integer literal.
pub(crate) fn number(literal: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(literal).ok()?.replace('\'', "");
    let text = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str) -> Option<bool> {
        let file = Scanned::new(text.into());
        let known = |name: &[u8]| match name {
            b"SEVEN" => Known::Value(7),
            b"NONE" => Known::Undefined,
            _ => Known::Nothing,
        };
        let all = conditions(&file);
        assert_eq!(all.len(), 1, "in {text}");
        all[0].holds(&file, &known)
    }

    #[test]
    fn conditions_are_worked_out_as_far_as_they_can_be() {
        for text in [
            "#if SEVEN\n",
            "# if (SEVEN>=7) // no\n",
            "#if 1 + 2*3 == SEVEN && !NONE\n",
            "#if defined(SEVEN) && ! defined NONE\n#define A 0\n",
            "#if !defined(NONE) || ANYTHING(1, (2)) > 3\n",
            "#if SEVEN > 3 && \\\n  SEVEN < 8\n",
            "#ifdef SEVEN\n",
            "#ifndef NONE\n",
            "#elif NONE ? 0 : 1 /* SEVEN */\n",
        ] {
            assert_eq!(holds(text), Some(true), "in {text}");
        }
        for text in ["#if NONE >= 7\n", "#if UNKNOWN && 0\n", "#ifdef NONE\n"] {
            assert_eq!(holds(text), Some(false), "in {text}");
        }
        for text in [
            "#if UNKNOWN\n",
            "#if defined(A)\n",
            "#if 1 +\n",
            "#if 1 2\n",
        ] {
            assert_eq!(holds(text), None, "in {text}");
        }
    }
}
