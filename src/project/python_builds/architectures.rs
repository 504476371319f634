//! The architectures that options of nvcc name.

use torchada_mapping::ArchitectureWords;
use torchada_syntax::HOLE;

/// What some options ask of nvcc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RequestedArchitectures {
    /// Nothing: nvcc, or who calls it, chooses.
    Nothing,
    /// Architectures of which this is the lowest.
    From(u32),
    /// Some that are not known.
    Unknown,
}

/// The architectures that one option asks for.
pub(super) fn requested_architectures(
    words: &ArchitectureWords,
    option: &str,
) -> RequestedArchitectures {
    if !words.options.iter().any(|one| option.contains(one)) {
        return RequestedArchitectures::Nothing;
    }
    let mut lowest: Option<u32> = None;
    for front in &words.fronts {
        for (at, _) in option.match_indices(front.as_str()) {
            let rest = option.get(at..).unwrap_or_default();
            let is_part = |one: char| one.is_ascii_alphanumeric() || one == '_';
            let end = rest.find(|one| !is_part(one));
            let word = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            let Some(number) = words.number(word) else {
                return RequestedArchitectures::Unknown;
            };
            lowest = Some(lowest.map_or(number, |one| one.min(number)));
        }
    }
    match lowest {
        Some(lowest) => RequestedArchitectures::From(lowest),
        None if option.contains(HOLE) => RequestedArchitectures::Unknown,
        None => RequestedArchitectures::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchada_mapping::knowledge::Knowledge;

    #[test]
    fn options_name_architectures() {
        let words = &Knowledge::builtin().shapes.architecture;
        assert_eq!(
            requested_architectures(words, "-gencode=arch=compute_90a,code=sm_90a"),
            RequestedArchitectures::From(90)
        );
        assert_eq!(
            requested_architectures(words, "arch=compute_80,code=sm_90"),
            RequestedArchitectures::From(80)
        );
        assert_eq!(
            requested_architectures(words, "--gpu-architecture=sm_100f"),
            RequestedArchitectures::From(100)
        );
        assert_eq!(
            requested_architectures(words, "-DENABLE_SM_90"),
            RequestedArchitectures::Nothing
        );
        assert_eq!(
            requested_architectures(words, &format!("arch=compute_{HOLE}")),
            RequestedArchitectures::Unknown
        );
    }
}
