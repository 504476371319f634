//! The MUSA SDK and its compiler.

use std::path::Path;

use super::checked::{Checked, Findings, State};
use crate::machine::Environment;
use crate::machine::program::Call;
use crate::machine::sdk::{Certainty, Looked, Sdk};
use crate::mapping::doctor::DoctorTable;
use crate::mapping::machine::MachineTable;

/// Whether there is an SDK, and which.
pub(super) fn check_sdk(sdk: &Result<Sdk, Vec<Looked>>) -> Checked {
    let mut findings = Findings::of("sdk");
    let sdk = match sdk {
        Ok(sdk) => sdk,
        Err(looked) => {
            for (origin, path) in looked {
                let what = format!("no SDK in {} ({origin})", path.display());
                findings.say(State::Failed, what);
            }
            return findings.end();
        }
    };
    let place = format!("{} ({})", sdk.root.display(), sdk.origin);
    match sdk.version() {
        None => {
            let what = format!("an SDK of an unknown version in {place}");
            findings.say(State::Warning, what);
            findings.fix("Nothing there says a version: see that the SDK is whole.");
        }
        Some(found) => {
            let (version, source) = (&found.version, &found.place);
            if found.certainty == Certainty::Doubtful {
                let since = &MachineTable::builtin().sdk.right_since;
                let what = format!(
                    "perhaps {version} in {place}, by {source}: releases before {since} say wrong versions"
                );
                findings.say(State::Warning, what);
                findings.fix("Look at what the SDK was installed from, and name its version with `--sdk` or `sdk = \"…\"` in torchada.toml.");
            } else {
                findings.say(State::Ok, format!("{version} in {place}, by {source}"));
            }
            let sure = sdk.versions.iter();
            let other = sure
                .filter(|other| other.certainty != Certainty::Doubtful)
                .find(|other| other.version.major_minor() != version.major_minor());
            if let Some(other) = other {
                let what = format!("{} says {}", other.place, other.version);
                findings.say(State::Warning, what);
                findings.fix("Two releases were installed into one folder: install one of them into an empty folder.");
            }
        }
    }
    findings.end()
}

/// Whether the SDK has its parts.
pub(super) fn check_parts(sdk: Option<&Sdk>) -> Checked {
    let Some(sdk) = sdk else {
        return Checked::one("parts", State::Skipped, "there is no SDK");
    };
    let mut findings = Findings::of("parts");
    let parts = &DoctorTable::builtin().part;
    let mut packages: Vec<&str> = Vec::new();
    for part in parts {
        if part.paths.iter().any(|path| sdk.root.join(path).exists()) {
            continue;
        }
        packages.push(&part.packages);
        let state = if part.needed {
            State::Failed
        } else {
            State::Warning
        };
        let what = format!("{} is not there: {}", part.paths.join(" or "), part.what);
        findings.say(state, what);
    }
    if packages.is_empty() {
        findings.say(State::Ok, format!("all {} are there", parts.len()));
    } else {
        let packages = packages.join(", ");
        findings.fix(format!(
            "Install the packages of this SDK that begin with {packages}, or use its image for development."
        ));
    }
    findings.end()
}

/// What the compiler says of itself.
///
/// # Errors
/// Why it says nothing, in words.
pub fn compiler(mcc: &Path, environment: &Environment) -> Result<String, String> {
    let answer = Call::new(mcc, environment).arguments(["--version"]).run();
    match answer.first_line() {
        Some(line) if answer.is_success() => Ok(line),
        _ => {
            let why = answer.last_error();
            let why = why.map(|why| format!(": {why}")).unwrap_or_default();
            Err(format!(
                "`{} --version`: {}{why}",
                mcc.display(),
                answer.end
            ))
        }
    }
}

/// Whether the compiler runs.
pub(super) fn check_compiler(mcc: Option<&Result<String, String>>) -> Checked {
    match mcc {
        None => Checked::one("mcc", State::Skipped, "there is no SDK with an mcc"),
        Some(Ok(line)) => Checked::one("mcc", State::Ok, line),
        Some(Err(why)) => Checked::one("mcc", State::Failed, why),
    }
}

/// Whether a build that looks for the compiler by its name finds the SDK's.
pub(super) fn check_path(sdk: Option<&Sdk>, environment: &Environment) -> Checked {
    let name = &MachineTable::builtin().sdk.compiler;
    let on_path = environment.program(name);
    let own = sdk.and_then(Sdk::compiler);
    let one = |state, what: String| Checked::one("mcc-path", state, what);
    match (own, on_path) {
        (None, None) => one(State::Skipped, "there is no mcc".to_owned()),
        (None, Some(found)) => {
            let what = format!("{} is there, and no SDK around it", found.display());
            one(State::Warning, what)
        }
        (Some(_), None) => {
            let what = "a build that calls mcc by its name finds none".to_owned();
            one(State::Warning, what)
        }
        (Some(own), Some(found)) if own.canonicalize().ok() == found.canonicalize().ok() => {
            one(State::Ok, found.display().to_string())
        }
        (Some(own), Some(found)) => {
            let (found, own) = (found.display(), own.display());
            one(State::Warning, format!("it is {found}, and not {own}"))
        }
    }
}
