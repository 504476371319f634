//! Every code that a finding can have.

use crate::diagnostic::{Code, codes};
use crate::mapping::Tables;
use crate::rules::cpp;

/// All codes, sorted: those of the tables of codes, and those of hazards.
pub fn all() -> Vec<Code> {
    let hazards = Tables::builtin().hazards().iter().map(cpp::hazard_code);
    let mut codes: Vec<Code> = codes::ALL.iter().copied().chain(hazards).collect();
    codes.sort_by_key(|code| code.id);
    codes.dedup();
    codes
}
