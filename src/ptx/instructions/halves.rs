//! Conversions to floating-point numbers of 16 bits, and to pairs of them.

use super::convert::Conversion;
use crate::types::{Class, Kind};
use crate::value::{Value, cast};

/// The largest finite numbers.
const LARGEST_HALF: &str = "65504.0f";
const LARGEST_BFLOAT: &str = "__uint_as_float(0x7f7f0000u)";

impl Conversion {
    pub(super) fn to_half(&self, value: &Value) -> Option<Value> {
        let rounding = self.rounding.as_deref();
        let is_half = self.to.class == Class::Half;
        let is_same = self.from.class == self.to.class;
        if is_same && rounding.is_none() && !self.saturates {
            return Some(value.clone());
        }
        let single = self.as_single(value)?;
        let (single, rounding) = match rounding {
            // To an integral value of the same type, which has it.
            Some(rounding) if is_same => (format!("{}({single})", to_integral(rounding)?), "rn"),
            None if is_same => (single, "rn"),
            rounding => (single, rounding?),
        };
        let call = match (is_half, rounding) {
            (true, "rn") => "__float2half_rn",
            (true, "rz") => "__float2half_rz",
            (true, "rm") => "torchada::ptx::half_directed<1>",
            (true, "rp") => "torchada::ptx::half_directed<2>",
            (false, "rn") => "__float2bfloat16_rn",
            (false, "rz") => "__float2bfloat16_rz",
            (false, "rm") => "torchada::ptx::bfloat_directed<1>",
            (false, "rp") => "torchada::ptx::bfloat_directed<2>",
            _ => return None,
        };
        let single = if self.saturates {
            format!("torchada::ptx::saturate({single})")
        } else {
            single
        };
        let largest = if is_half {
            LARGEST_HALF
        } else {
            LARGEST_BFLOAT
        };
        let text = format!("{call}({})", self.limited(single, largest));
        // PTX has one number that is none.
        let text = match (self.relu, is_half) {
            (true, true) => format!("torchada::ptx::relu_half({text})"),
            (true, false) => format!("torchada::ptx::relu_bfloat({text})"),
            _ => text,
        };
        Some(Value::new(text, self.to))
    }

    /// A number as a float of 32 bits, from which it is rounded as from itself.
    fn as_single(&self, value: &Value) -> Option<String> {
        let text = &value.text;
        Some(match (self.from.class, self.from.bits) {
            (Class::Float, 32) => text.clone(),
            // A float that is rounded to odd is rounded once more as the number itself would be.
            (Class::Float, _) => format!("torchada::ptx::odd({text})"),
            (Class::Signed | Class::Unsigned, bits) if bits <= 16 => cast(Kind::F32, text),
            (Class::Signed | Class::Unsigned, _) => {
                format!("torchada::ptx::odd_integer<{}>({text})", self.from.cpp())
            }
            (Class::Half, _) => format!("__half2float({text})"),
            (Class::Bfloat, _) => format!("__bfloat162float({text})"),
            _ => return None,
        })
    }

    /// A float without what is below zero, and with what is too large cut to `largest`.
    pub(super) fn limited(&self, text: String, largest: &str) -> String {
        let text = if self.relu {
            format!("torchada::ptx::relu({text})")
        } else {
            text
        };
        if self.finite {
            format!("torchada::ptx::limited({text}, {largest})")
        } else {
            text
        }
    }

    /// Two numbers as the halves of a pair, the first above the second.
    pub(super) fn pair(&self, high: &Value, low: &Value) -> Option<Value> {
        let (single, call) = match self.to.class {
            Class::HalfPair => (Class::Half, "__halves2half2"),
            Class::BfloatPair => (Class::Bfloat, "make_bfloat162"),
            _ => return None,
        };
        let one = Self {
            rounding: self.rounding.clone(),
            to: Kind::new(single, 16),
            ..*self
        };
        let (high, low) = (one.to_half(high)?, one.to_half(low)?);
        let text = format!("{call}({}, {})", low.text, high.text);
        Some(Value::new(text, self.to))
    }
}

/// The function that rounds a float to an integral value.
fn to_integral(rounding: &str) -> Option<&'static str> {
    match rounding {
        "rni" => Some("rintf"),
        "rzi" => Some("truncf"),
        "rmi" => Some("floorf"),
        "rpi" => Some("ceilf"),
        _ => None,
    }
}
