//! The architectures that options of nvcc name.

use crate::cmake::replay::architecture::{FRONTS, architecture};
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

/// Options in which an architecture is asked for.
const OPTIONS: [&str; 4] = ["arch=", "code=", "-arch", "gpu-architecture"];

/// The architectures that one option asks for.
pub(super) fn requested_architectures(option: &str) -> RequestedArchitectures {
    if !OPTIONS.iter().any(|one| option.contains(one)) {
        return RequestedArchitectures::Nothing;
    }
    let mut lowest: Option<u32> = None;
    for front in FRONTS {
        for (at, _) in option.match_indices(front) {
            let rest = option.get(at + front.len()..).unwrap_or_default();
            let end = rest.find(|one: char| !one.is_ascii_alphanumeric());
            let word = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            let Some(number) = architecture(word) else {
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

    #[test]
    fn options_name_architectures() {
        assert_eq!(
            requested_architectures("-gencode=arch=compute_90a,code=sm_90a"),
            RequestedArchitectures::From(90)
        );
        assert_eq!(
            requested_architectures("arch=compute_80,code=sm_90"),
            RequestedArchitectures::From(80)
        );
        assert_eq!(
            requested_architectures("--gpu-architecture=sm_100f"),
            RequestedArchitectures::From(100)
        );
        assert_eq!(
            requested_architectures("-DENABLE_SM_90"),
            RequestedArchitectures::Nothing
        );
        assert_eq!(
            requested_architectures(&format!("arch=compute_{HOLE}")),
            RequestedArchitectures::Unknown
        );
    }
}
