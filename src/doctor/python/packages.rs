//! Packages that are built for CUDA, and the package for run time.

use crate::mapping::{contains_one, ends_with_one};
use std::path::Path;

use super::super::checked::{Checked, Findings, State};
use super::Python;
use crate::mapping::doctor::DoctorTable;
use crate::mapping::python::packages::{PackageRelation, Packages};

/// Whether packages there are built for CUDA.
pub(in crate::doctor) fn check_builds(python: Option<&Python>) -> Checked {
    let Some(python) = python else {
        return Checked::one("cuda-builds", State::Skipped, "there is no Python");
    };
    let builds = &DoctorTable::builtin().builds;
    let packages = Packages::builtin();
    let mut findings = Findings::of("cuda-builds");
    let torch = python.imported.as_ref().ok();
    let torch = torch.and_then(|imported| imported.torch.as_ref());
    if let Some(torch) = torch
        && let (Some(version), Some(cuda)) = (&torch.version, &torch.cuda)
    {
        let what = format!("torch {version} is built for CUDA {cuda}");
        findings.say(State::Warning, what);
        findings.fix("Install MUSA's torch again: projects ask `torch.version.cuda` which platform they are on.");
    }
    let mut own = Vec::new();
    for (name, version) in &python.installed.distributions {
        let is_for_cuda = contains_one(version, &builds.cuda) || ends_with_one(name, &builds.names);
        let row = packages.required(name);
        if packages.is_nvidias(name) {
            own.push(name);
            continue;
        }
        // torch itself has its say above.
        if name == "torch" && torch.is_some() {
            continue;
        }
        let is_useless = row.is_some_and(|(row, _)| row.relation == PackageRelation::None);
        if is_for_cuda || is_useless {
            let why = if is_for_cuda {
                "is built for CUDA"
            } else {
                "is made for NVIDIA's GPUs"
            };
            findings.say(State::Warning, format!("{name} {version} {why}"));
            if let Some((row, _)) = row {
                findings.fix(format!("{name}: {}", row.advice));
            }
        }
    }
    if let Some(first) = own.first() {
        let more = own.len() - 1;
        let more = if more > 0 {
            format!(" and {more} more of NVIDIA's libraries are")
        } else {
            " is".to_owned()
        };
        findings.say(
            State::Warning,
            format!("{first}{more} there: some package brought them along"),
        );
    }
    if findings.is_empty() {
        let count = python.installed.distributions.len();
        findings.say(State::Ok, format!("none of {count} packages"));
    }
    findings.end()
}

/// Which package `torchada` is there, and whether Python imports it by itself.
pub(in crate::doctor) fn check_runtime(python: Option<&Python>) -> Checked {
    let Some(python) = python else {
        return Checked::one("runtime", State::Skipped, "there is no Python");
    };
    let table = &DoctorTable::builtin().runtime;
    let place = python.installed.places.get(&table.module);
    let Some(place) = place.and_then(Option::as_ref) else {
        let what = "it is not installed there: a port of a tree brings its own";
        return Checked::one("runtime", State::Skipped, what);
    };
    let folder = Path::new(place).parent().unwrap_or(Path::new("/"));
    let has = |files: &[String]| files.iter().any(|file| folder.join(file).is_file());
    let mut findings = Findings::of("runtime");
    let shown = folder.display();
    let pip = format!("{} -m pip", python.program.display());
    let namesake = python.installed.distributions.get(&table.namesake);
    let namesake = namesake.map(|version| format!("{} {version}", table.namesake));
    match (has(&table.own), has(&table.other), namesake) {
        (true, true, namesake) => {
            let of = namesake.map_or_else(String::new, |of| format!(", one of {of}"));
            let what = format!("{shown} has files of two packages of this name{of}");
            findings.say(State::Failed, what);
            let (both, own) = (
                format!("{} {}", table.namesake, table.distribution),
                &table.distribution,
            );
            findings.fix(format!(
                "Remove both, and install this one again: `{pip} uninstall {both}`, then `{pip} install {own}`."
            ));
        }
        (true, false, Some(namesake)) => {
            let what = format!("{shown}, and {namesake} is installed, whose package has this name");
            findings.say(State::Failed, what);
            findings.fix(format!("Remove it: `{pip} uninstall {}`.", table.namesake));
        }
        (false, _, namesake) => {
            let of = namesake.map_or_else(String::new, |of| format!(", of {of}"));
            let what = format!("{shown} is another package of this name{of}");
            findings.say(State::Warning, what);
        }
        (true, false, None) => {
            let starters = python.installed.starters.get(&table.module);
            let what = match starters.and_then(|starters| starters.first()) {
                Some(starter) => format!("{shown}, imported at the start by {starter}"),
                None => {
                    format!("{shown}; programs have to import it before they take names from torch")
                }
            };
            findings.say(State::Ok, what);
        }
    }
    findings.end()
}
