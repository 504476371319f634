//! How build files write architectures of CUDA's.

/// What comes before the number of an architecture.
pub(crate) const FRONTS: [&str; 2] = ["compute_", "sm_"];

/// The architecture that a word names: 90 for `90`, `90a-real`, `9.0a`, `8.0+PTX` and the like.
pub(crate) fn architecture(word: &str) -> Option<u32> {
    let word = word.trim_matches('"');
    let mut fronts = FRONTS.iter();
    let word = fronts
        .find_map(|front| word.strip_prefix(front))
        .unwrap_or(word);
    let word = word.strip_suffix("+PTX").unwrap_or(word);
    let word = word
        .strip_suffix("-real")
        .or_else(|| word.strip_suffix("-virtual"))
        .unwrap_or(word);
    let digits = word.strip_suffix(['a', 'f']).unwrap_or(word);
    if let Some((major, minor)) = digits.split_once('.') {
        let (major, minor): (u32, u32) = (major.parse().ok()?, minor.parse().ok()?);
        return (major < 100 && minor < 10).then_some(major * 10 + minor);
    }
    let number: u32 = digits.parse().ok()?;
    // `900`, as the architecture's macro has it.
    match number {
        500.. if number.is_multiple_of(10) && number < 5000 => Some(number / 10),
        500.. => None,
        _ => Some(number),
    }
}

/// The lowest architecture that a pattern takes in: 90 for `^90a?` and `90|100`.
pub(super) fn of_pattern(pattern: &str) -> Option<u32> {
    let bare: String = pattern
        .chars()
        .filter(|one| !matches!(one, '^' | '$' | '(' | ')' | '\\'))
        .collect();
    let alternatives = bare.split('|').map(|one| {
        let one = one.strip_suffix("-real").unwrap_or(one);
        // `90a?` and `90[af]` take in `90`.
        let one = one.strip_suffix('?').unwrap_or(one);
        let one = one.strip_suffix("[af]").unwrap_or(one);
        architecture(one)
    });
    alternatives.min_by_key(|one| *one).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architectures_are_known_in_every_spelling() {
        for word in ["90", "90a", "90a-real", "9.0a", "sm_90a", "9.0+PTX", "900"] {
            assert_eq!(architecture(word), Some(90), "{word}");
        }
        assert_eq!(architecture("12.0f"), Some(120));
        assert_eq!(architecture("all-major"), None);
        assert_eq!(of_pattern("^100"), Some(100));
        assert_eq!(of_pattern("(90a?|100)"), Some(90));
        assert_eq!(of_pattern("9[0-9]"), None);
        assert_eq!(of_pattern("90|x"), None);
    }
}
