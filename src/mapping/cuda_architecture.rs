//! The one reader of words that name an architecture of CUDA's, as nvcc (`sm_90a`), `CMake` (`90a-real`) and `PyTorch`
//! (`9.0+PTX`) write it.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Numbers of architectures, as they stand behind nvcc's fronts.
const NUMBERS: Range<u32> = 10..200;

/// The least of them that is taken for one without a front: nvcc has had none below it since CUDA 7, and `12` may be the
/// first part of 12.0.
const LEAST_BARE: u32 = 20;

/// The first parts of capabilities.
const MAJORS: Range<u32> = 0..20;

/// What stands around the number of an architecture: the part `[architecture]` of `mappings/shapes.toml`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArchitectureWords {
    /// What nvcc puts before the number.
    pub fronts: Vec<String>,
    /// What `CMake` and `PyTorch` put behind it, to say for which kind of code it is meant.
    pub kinds: Vec<String>,
    /// What an option of nvcc has in it that asks for architectures.
    pub options: Vec<String>,
    /// Where that comes from.
    pub source: String,
}

impl ArchitectureWords {
    /// The architecture that a whole word names: 90 for `sm_90a`, `sm90`, `90-real`, `9.0+PTX`.
    pub fn number(&self, word: &str) -> Option<u32> {
        let mut kinds = self.kinds.iter();
        let word = kinds
            .find_map(|kind| word.strip_suffix(kind.as_str()))
            .unwrap_or(word);
        match self.behind_front(word) {
            Some(rest) => read(rest.strip_prefix('_').unwrap_or(rest), NUMBERS.start),
            None => architecture_number(word),
        }
    }

    /// What stands behind nvcc's front in a word, with the underscore that nvcc has there: `_90` in `sm_90`.
    pub fn behind_front<'w>(&self, word: &'w str) -> Option<&'w str> {
        let mut names = self.front_names();
        names.find_map(|name| word.strip_prefix(name))
    }

    /// The fronts without their underscores.
    pub fn front_names(&self) -> impl Iterator<Item = &str> {
        self.fronts.iter().map(|front| front.trim_end_matches('_'))
    }
}

/// The architecture that a word without a front names: 90 for `90`, `90a` and `9.0`; 120 for `12x`, which stands for all from
/// 12.0 on.
pub fn architecture_number(word: &str) -> Option<u32> {
    read(word, LEAST_BARE)
}

/// The architecture that a whole number is: 90 for 90, and for 900, as `__CUDA_ARCH__` has it.
pub fn architecture_of(number: u32) -> Option<u32> {
    let is_macros = number >= NUMBERS.end && number.is_multiple_of(10);
    let number = if is_macros { number / 10 } else { number };
    (LEAST_BARE..NUMBERS.end)
        .contains(&number)
        .then_some(number)
}

fn read(word: &str, least: u32) -> Option<u32> {
    let digits = word.trim_end_matches(|one: char| one.is_ascii_lowercase());
    let letters = word.get(digits.len()..)?;
    if !matches!(letters, "" | "a" | "f" | "x") {
        return None;
    }
    if let Some((major, minor)) = digits.split_once('.') {
        let (major, minor): (u32, u32) = (major.parse().ok()?, minor.parse().ok()?);
        let is_known = MAJORS.contains(&major) && minor < 10;
        return is_known.then(|| major * 10 + minor);
    }
    let number: u32 = digits.parse().ok()?;
    let number = if letters == "x" {
        number.checked_mul(10)?
    } else {
        number
    };
    (least..NUMBERS.end).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architectures_are_known_in_every_spelling() {
        let words = &crate::knowledge::Knowledge::builtin().shapes.architecture;
        for word in [
            "90",
            "90a",
            "9.0",
            "9.0a",
            "90a-real",
            "90-virtual",
            "9.0+PTX",
            "sm_90",
            "sm_90a",
            "sm90",
            "compute_90",
            "lto_90",
        ] {
            assert_eq!(words.number(word), Some(90), "{word}");
        }
        assert_eq!(words.number("12.0f"), Some(120));
        assert_eq!(words.number("sm_12x"), Some(120));
        assert_eq!(words.number("sm_13"), Some(13));
        for word in [
            "13",
            "900",
            "80GB",
            "A100",
            "gfx90a",
            "all-major",
            "compute_256",
            "1.10",
            "1700000000.0",
            "sm_",
            "",
        ] {
            assert_eq!(words.number(word), None, "{word}");
        }
    }

    #[test]
    fn numbers_are_read_as_macros_have_them() {
        assert_eq!(architecture_of(86), Some(86));
        assert_eq!(architecture_of(860), Some(86));
        assert_eq!(architecture_of(1000), Some(100));
        for number in [8, 512, 2000] {
            assert_eq!(architecture_of(number), None, "{number}");
        }
    }
}
