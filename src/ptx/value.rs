//! Expressions of C++ with their types of PTX, and how one type is read as another.

use super::types::{Class, Kind};
use torchada_mapping::ptx::{NAMESPACE, Ptx};

/// An expression of C++.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) kind: Kind,
}

impl Value {
    pub(super) fn new(text: impl Into<String>, kind: Kind) -> Self {
        Self {
            text: text.into(),
            kind,
        }
    }

    /// The text as an operand: in brackets unless it binds most tightly.
    pub(super) fn operand(&self) -> String {
        if is_atomic(&self.text) {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }

    /// The same bits read as another type of the same width; an integer of another width is cut, or extended as its
    /// own type says.
    pub(super) fn read_as(&self, kind: Kind) -> Option<Self> {
        let (from, to) = (self.kind, kind);
        if from == to {
            return Some(self.clone());
        }
        let names = Ptx::builtin().types();
        let bits = |value: &Self| value.read_as(Kind::new(Class::Unsigned, from.bits));
        let text = match (from.class, to.class) {
            (Class::Predicate, _) | (_, Class::Predicate) => return None,
            _ if from.is_integer() && to.is_integer() => {
                let same = from.bits == to.bits;
                let keeps = same
                    && (to.class == Class::Bits
                        || to.class == Class::Integer
                        || (from.class == Class::Bits && to.class == Class::Unsigned));
                if keeps {
                    return Some(Self::new(self.text.clone(), to));
                }
                // What has no sign of its own is extended as bits.
                let inner = if to.bits > from.bits && from.class == Class::Integer {
                    cast(Kind::new(Class::Unsigned, from.bits), &self.text)
                } else {
                    self.text.clone()
                };
                cast(to, &inner)
            }
            (Class::Float, _) if to.is_integer() && from.bits == to.bits => {
                let (call, called) = match (from.bits, to.class) {
                    (32, Class::Signed) => (&names.float_as_int, Kind::S32),
                    (32, _) => (&names.float_as_uint, Kind::U32),
                    _ => (&names.double_as_longlong, Kind::S64),
                };
                let text = format!("{call}({})", self.text);
                return Self::new(text, called).read_as(to);
            }
            (_, Class::Float) if from.is_integer() && from.bits == to.bits => {
                let (call, kind) = match to.bits {
                    32 => (&names.uint_as_float, Kind::U32),
                    _ => (&names.longlong_as_double, Kind::S64),
                };
                format!("{call}({})", self.read_as(kind)?.text)
            }
            (Class::Half, _) if to.is_integer() && to.bits == 16 => {
                let text = format!("{}({})", names.half_as_ushort, self.text);
                return Self::new(text, Kind::new(Class::Unsigned, 16)).read_as(to);
            }
            (_, Class::Half) if from.is_integer() && from.bits == 16 => {
                format!("{}({})", names.ushort_as_half, bits(self)?.text)
            }
            (Class::HalfPair | Class::Bfloat | Class::BfloatPair, _)
                if to.is_integer() && from.bits == to.bits =>
            {
                let unsigned = Kind::new(Class::Unsigned, to.bits);
                let text = format!("{NAMESPACE}bits<{}>({})", unsigned.cpp(), self.text);
                return Self::new(text, unsigned).read_as(to);
            }
            (_, Class::HalfPair | Class::Bfloat | Class::BfloatPair)
                if from.is_integer() && from.bits == to.bits =>
            {
                format!("{NAMESPACE}bits<{}>({})", to.cpp(), bits(self)?.text)
            }
            // One half is a 32-bit register's lower part in none of PTX's instructions.
            _ => return None,
        };
        Some(Self::new(text, to))
    }
}

/// A value as another type.
pub(super) fn cast(to: Kind, text: &str) -> String {
    // `unsigned(x)` reads better, but parsers of C++ take it for a declaration in places.
    let name = to.cpp();
    if is_atomic(text) {
        format!("({name}){text}")
    } else {
        format!("({name})({text})")
    }
}

/// Whether a text needs no brackets as an operand: a name, a number, a call, something indexed, or in brackets.
pub(super) fn is_atomic(text: &str) -> bool {
    // A cast binds more tightly than any operator between two operands.
    if let Some((kind, rest)) = text.strip_prefix('(').and_then(|rest| rest.split_once(')'))
        && kind
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b' ' | b'*'))
        && kind
            .bytes()
            .next()
            .is_some_and(|byte| byte.is_ascii_lowercase() || byte == b'_')
        && !rest.is_empty()
        && is_atomic(rest)
    {
        return true;
    }
    let mut depth = 0_usize;
    let mut bytes = text.bytes().enumerate().peekable();
    let mut opened_first = false;
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'(' | b'[' => {
                opened_first |= at == 0;
                depth += 1;
            }
            b')' | b']' => {
                let Some(less) = depth.checked_sub(1) else {
                    return false;
                };
                depth = less;
                // `(int)x` is a cast and no operand of `.` or `[`.
                if depth == 0 && opened_first && bytes.peek().is_some() {
                    return false;
                }
            }
            _ if depth > 0 => {}
            b'<' => {
                // `bits<unsigned int>(x)`
                let rest = text.get(at..).unwrap_or_default();
                let Some(end) = rest.find(">(") else {
                    return false;
                };
                let inside = rest.get(1..end).unwrap_or_default();
                if !inside.bytes().all(|byte| {
                    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b' ' | b',' | b':')
                }) {
                    return false;
                }
                for _ in 0..end {
                    bytes.next();
                }
            }
            b'_' | b'.' | b':' | b'\x01' | b'\x02' => {}
            _ if byte.is_ascii_alphanumeric() || !byte.is_ascii() => {}
            _ => return false,
        }
    }
    depth == 0 && !text.is_empty()
}
