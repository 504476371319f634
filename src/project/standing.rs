//! Which files are translated, and which are left as a whole.

use std::collections::BTreeMap;

use super::facts::Facts;
use super::regions::Region;
use super::vendored::{self, Carried};
use super::{Input, Standing};
use crate::classify::Class;
use crate::diagnostic::{Code, Finding, KeptReason, Severity};

/// A library that the tree carries along is left whole.
pub const CARRIED_LIBRARY: Code = Code {
    id: "PRJ001",
    severity: Severity::Warning,
    title: "library carried along, left whole",
};

/// A file or folder has a MUSA twin.
pub const MUSA_TWIN: Code = Code {
    id: "PRJ004",
    severity: Severity::Note,
    title: "left because a MUSA twin stands beside it",
};

/// A header that only other platforms include.
pub const OTHER_PLATFORM: Code = Code {
    id: "PRJ005",
    severity: Severity::Note,
    title: "left because only builds for other platforms include it",
};

/// Which files are translated, and which are left as a whole.
pub(super) fn standings(
    inputs: &[Input],
    listing: &[(String, Class)],
    carried: &[Carried<'_>],
    findings: &mut Vec<Finding>,
) -> Vec<Standing> {
    let mut standings: Vec<Standing> = inputs
        .iter()
        .map(|input| {
            if input.selected && input.class.kind.is_cpp() && input.text.is_some() {
                Standing::Ported
            } else {
                Standing::Copied
            }
        })
        .collect();
    for carried in carried {
        let mut held = 0;
        for ((path, _), standing) in listing.iter().zip(&mut standings) {
            if carried.holds(path) && *standing == Standing::Ported {
                *standing = Standing::Left(KeptReason::Vendored);
                held += 1;
            }
        }
        let Some(folder) = carried.folders.first().filter(|_| held > 0) else {
            continue;
        };
        let name = &carried.library.name;
        findings.push(
            Finding::whole(
                CARRIED_LIBRARY,
                folder.trim_end_matches('/'),
                format!(
                    "{name} is carried along in `{folder}` and was left whole ({held} sources)"
                ),
            )
            .help(carried.library.advice.clone()),
        );
    }
    let mut told: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for (index, (left, twin)) in vendored::twins(listing) {
        let moves = inputs.get(index).is_some_and(|input| input.moved.is_some());
        if let Some(standing) = standings.get_mut(index)
            && *standing == Standing::Ported
            && !moves
        {
            *standing = Standing::Left(KeptReason::MusaTwin);
            told.entry(left).or_insert((twin, 0)).1 += 1;
        }
    }
    for ((path, _), standing) in listing.iter().zip(&mut standings) {
        let is_twin = told.values().any(|(twin, _)| {
            path == twin
                || path
                    .strip_prefix(twin.as_str())
                    .is_some_and(|rest| rest.starts_with('/'))
        });
        if is_twin && *standing == Standing::Ported {
            *standing = Standing::Left(KeptReason::MusaTwin);
        }
    }
    for (left, (twin, count)) in told {
        let files = if count == 1 {
            "1 file".to_owned()
        } else {
            format!("{count} files")
        };
        findings.push(
            Finding::whole(
                MUSA_TWIN,
                &left,
                format!("`{left}` was left ({files}): `{twin}` stands beside it"),
            )
            .help("carry changes over to the twin by hand, or port a tree without it"),
        );
    }
    standings
}

/// Leave headers that are included in branches for other platforms only.
pub(super) fn leave_other_platforms(
    facts: &[Facts],
    resolved: &[Vec<Option<usize>>],
    listing: &[(String, Class)],
    standings: &mut [Standing],
    findings: &mut Vec<Finding>,
) {
    let mut included: BTreeMap<usize, (bool, KeptReason, usize)> = BTreeMap::new();
    for (from, (facts, resolved)) in facts.iter().zip(resolved).enumerate() {
        for (include, target) in facts.includes.iter().zip(resolved) {
            let Some(target) = *target else { continue };
            let reason = match include.region {
                Region::OtherVendor => Some(KeptReason::VendorBranch),
                Region::NotMusa => Some(KeptReason::MusaBranch),
                Region::Plain | Region::Musa => None,
            };
            let entry = included.entry(target).or_insert((
                true,
                reason.unwrap_or(KeptReason::VendorBranch),
                from,
            ));
            entry.0 &= reason.is_some();
        }
    }
    for (file, (elsewhere, reason, from)) in included {
        let (Some(standing), Some((path, _))) = (standings.get_mut(file), listing.get(file)) else {
            continue;
        };
        if elsewhere && *standing == Standing::Ported {
            *standing = Standing::Left(reason);
            let includer = listing.get(from).map_or("", |(path, _)| path.as_str());
            findings.push(
                Finding::whole(
                    OTHER_PLATFORM,
                    path,
                    format!("`{path}` was left: only branches for other platforms include it (`{includer}`)"),
                )
                .help("nothing to do where the MUSA branch beside it is complete"),
            );
        }
    }
}
