//! The types of PTX, and what they are in C++.

use torchada_mapping::ptx::Ptx;

/// What the bits of a value mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Class {
    /// `.b32`: bits, kept as an unsigned integer.
    Bits,
    /// `.u32`
    Unsigned,
    /// `.s32`
    Signed,
    /// An integer of C++ whose sign the statement does not say: an operand of the constraint `r`.
    Integer,
    /// `.f32`, `.f64`
    Float,
    /// `.f16`
    Half,
    /// `.f16x2`
    HalfPair,
    /// `.bf16`
    Bfloat,
    /// `.bf16x2`
    BfloatPair,
    /// `.pred`
    Predicate,
}

/// A type: what its bits mean and how many they are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Kind {
    pub(super) class: Class,
    pub(super) bits: u32,
}

impl Kind {
    pub(super) const PREDICATE: Self = Self::new(Class::Predicate, 1);
    pub(super) const U32: Self = Self::new(Class::Unsigned, 32);
    pub(super) const S32: Self = Self::new(Class::Signed, 32);
    pub(super) const S64: Self = Self::new(Class::Signed, 64);
    pub(super) const U64: Self = Self::new(Class::Unsigned, 64);
    pub(super) const F32: Self = Self::new(Class::Float, 32);

    pub(super) const fn new(class: Class, bits: u32) -> Self {
        Self { class, bits }
    }

    /// The type of a name in PTX: `u32`.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "pred" => Self::PREDICATE,
            "f16" => Self::new(Class::Half, 16),
            "f16x2" => Self::new(Class::HalfPair, 32),
            "bf16" => Self::new(Class::Bfloat, 16),
            "bf16x2" => Self::new(Class::BfloatPair, 32),
            "tf32" => Self::new(Class::Bits, 32),
            _ => {
                let (class, bits) = name.split_at_checked(1)?;
                let class = match class {
                    "b" => Class::Bits,
                    "u" => Class::Unsigned,
                    "s" => Class::Signed,
                    "f" => Class::Float,
                    _ => return None,
                };
                let bits = match (class, bits) {
                    (Class::Float, "32") => 32,
                    (Class::Float, "64") => 64,
                    (Class::Float, _) => return None,
                    (_, "8") => 8,
                    (_, "16") => 16,
                    (_, "32") => 32,
                    (_, "64") => 64,
                    _ => return None,
                };
                Self::new(class, bits)
            }
        })
    }

    /// The type in C++ of a value with this meaning.
    pub(super) fn cpp(self) -> &'static str {
        let types = Ptx::builtin().types();
        match (self.class, self.bits) {
            (Class::Predicate, _) => "bool",
            (Class::Half, _) => &types.half,
            (Class::HalfPair, _) => &types.half_pair,
            (Class::Bfloat, _) => &types.bfloat,
            (Class::BfloatPair, _) => &types.bfloat_pair,
            (Class::Float, 32) => "float",
            (Class::Float, _) => "double",
            (Class::Signed, 8) => "signed char",
            (Class::Signed, 16) => "short",
            (Class::Signed, 32) => "int",
            (Class::Signed, _) => "long long",
            (_, 8) => "unsigned char",
            (_, 16) => "unsigned short",
            (_, 32) => "unsigned int",
            _ => "unsigned long long",
        }
    }

    /// The type of a register of this type: what is neither a number of C++ nor a predicate is kept as bits.
    pub(super) fn storage(self) -> Self {
        match self.class {
            Class::Float | Class::Predicate | Class::Signed => self,
            _ => Self::new(Class::Unsigned, self.bits),
        }
    }

    pub(super) fn is_integer(self) -> bool {
        matches!(
            self.class,
            Class::Bits | Class::Unsigned | Class::Signed | Class::Integer
        )
    }

    /// The unsigned or signed integer of twice the width.
    pub(super) fn twice_as_wide(self) -> Self {
        Self::new(self.class, self.bits * 2)
    }

    /// Bits of the same width.
    pub(super) fn as_bits(self) -> Self {
        Self::new(Class::Unsigned, self.bits)
    }
}
