//! Patterns of `CMake`'s for architectures of CUDA's.

use torchada_mapping::ArchitectureWords;

/// The lowest architecture that a pattern takes in: 90 for `^90a?` and `90|100`.
pub(super) fn of_pattern(words: &ArchitectureWords, pattern: &str) -> Option<u32> {
    let bare: String = pattern
        .chars()
        .filter(|one| !matches!(one, '^' | '$' | '(' | ')' | '\\'))
        .collect();
    let alternatives = bare.split('|').map(|one| {
        let one = one.strip_suffix("-real").unwrap_or(one);
        // `90a?` and `90[af]` take in `90`.
        let one = one.strip_suffix('?').unwrap_or(one);
        let one = one.strip_suffix("[af]").unwrap_or(one);
        words.number(one)
    });
    alternatives.min_by_key(|one| *one).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchada_mapping::knowledge::Knowledge;

    #[test]
    fn patterns_take_in_architectures() {
        let words = &Knowledge::builtin().shapes.architecture;
        assert_eq!(of_pattern(words, "^100"), Some(100));
        assert_eq!(of_pattern(words, "(90a?|100)"), Some(90));
        assert_eq!(of_pattern(words, "9[0-9]"), None);
        assert_eq!(of_pattern(words, "90|x"), None);
    }
}
