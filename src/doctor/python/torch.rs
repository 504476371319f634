//! torch, `torch_musa`, and whether they go together and with the SDK.

use super::super::checked::{Checked, Findings, State};
use super::{Module, Python};
use crate::machine::sdk::Sdk;
use crate::mapping::Version;
use crate::mapping::doctor::{DoctorTable, begins};

const NO_PYTHON: &str = "there is no Python";

/// Whether torch can be imported.
pub(in crate::doctor) fn check_torch(python: Option<&Python>) -> Checked {
    let Some(python) = python else {
        return Checked::one("torch", State::Skipped, NO_PYTHON);
    };
    let imported = match &python.imported {
        Ok(imported) => imported,
        Err(why) => {
            let what = format!("while torch and torch_musa were imported: {why}");
            return Checked::one("torch", State::Failed, what);
        }
    };
    match &imported.torch {
        None => Checked::one("torch", State::Warning, "it is not installed there"),
        Some(torch) => module("torch", torch),
    }
}

/// Whether `torch_musa` can be imported, and sees devices.
pub(in crate::doctor) fn check_torch_musa(python: Option<&Python>) -> Checked {
    let name = "torch-musa";
    let Some(python) = python else {
        return Checked::one(name, State::Skipped, NO_PYTHON);
    };
    let Ok(imported) = &python.imported else {
        return Checked::one(name, State::Skipped, "see torch");
    };
    let Some(musa) = &imported.torch_musa else {
        let (state, what) = match imported.torch {
            Some(_) => (State::Failed, "torch is there, and torch_musa is not"),
            None => (State::Skipped, "there is no torch"),
        };
        return Checked::one(name, state, what);
    };
    if musa.fault.is_some() {
        return module(name, musa);
    }
    let version = musa.version.as_deref().unwrap_or("of an unknown version");
    match (&musa.devices, &musa.devices_fault) {
        (_, Some(fault)) => {
            let what = format!("{version}, and asked for its devices: {fault}");
            Checked::one(name, State::Failed, what)
        }
        (Some(devices), None) if !devices.is_empty() => {
            let mut kinds = devices.clone();
            kinds.sort();
            kinds.dedup();
            let (count, kinds) = (devices.len(), kinds.join(", "));
            Checked::one(
                name,
                State::Ok,
                format!("{version}, sees {count} × {kinds}"),
            )
        }
        _ => Checked::one(
            name,
            State::Failed,
            format!("{version}, and sees no device"),
        ),
    }
}

fn module(check: &str, module: &Module) -> Checked {
    match (&module.fault, &module.version) {
        (Some(fault), _) => {
            let what = format!("it can't be imported: {fault}");
            Checked::one(check, State::Failed, what)
        }
        (None, Some(version)) => Checked::one(check, State::Ok, version),
        (None, None) => Checked::one(check, State::Warning, "it says no version"),
    }
}

/// Whether the versions of torch, `torch_musa` and the SDK go together.
pub(in crate::doctor) fn check_fit(python: Option<&Python>, sdk: Option<&Sdk>) -> Checked {
    let mut findings = Findings::of("fit");
    let imported = python.and_then(|python| python.imported.as_ref().ok());
    let torch = imported.and_then(|imported| imported.torch_version());
    // What can't be imported may still say which version it is.
    let musa = imported.and_then(|imported| imported.torch_musa_version());
    let installed = python.and_then(|python| python.installed.distributions.get("torch_musa"));
    let musa = musa.or(installed.map(String::as_str));
    let Some(musa) = musa else {
        findings.say(State::Skipped, "there is no torch_musa");
        return findings.end();
    };
    let sdk_version = sdk.and_then(Sdk::sure_version);
    if let (Some(built), Some(version)) = (built_for(musa), sdk_version)
        && built.major_minor() != version.major_minor()
    {
        let what = format!("torch_musa {musa} is built for SDK {built}, and the SDK is {version}");
        findings.say(State::Warning, what);
    }
    let Some(release) = DoctorTable::builtin().release(musa) else {
        let what = format!("nothing is known of torch_musa {musa}");
        findings.say(State::Skipped, what);
        return findings.end();
    };
    let by = &release.source;
    if let Some(torch) = torch {
        let least = release.torch_least.as_deref().and_then(version);
        let is_below = least.zip(version(torch));
        if let Some((least, _)) = is_below.filter(|(least, torch)| torch < least) {
            let what = format!(
                "torch_musa {musa} needs torch {least} at least, and this is {torch} ({by})"
            );
            findings.say(State::Failed, what);
        } else if !begins(torch, &release.torch) {
            let for_ = &release.torch;
            let what = format!("torch_musa {musa} is for torch {for_}, and this is {torch} ({by})");
            findings.say(State::Warning, what);
        }
    }
    let least = release.sdk_least.as_deref().and_then(version);
    if let Some((least, sdk)) = least.zip(sdk_version)
        && *sdk < least
    {
        let what =
            format!("torch_musa {musa} needs SDK {least} at least, and this is {sdk} ({by})");
        findings.say(State::Failed, what);
    }
    if findings.is_empty() {
        findings.say(State::Ok, format!("by {by}"));
    }
    findings.end()
}

/// The version at the front of a text such as `2.9.1.post1+musa5.2.0`.
pub(in crate::doctor) fn version(text: &str) -> Option<Version> {
    let is_part = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let front = text.split(['+', '-']).next().unwrap_or_default();
    let parts: Vec<&str> = front.split('.').take_while(is_part).take(4).collect();
    parts.join(".").parse().ok()
}

/// The SDK that a version says it was built for: 5.2.0 of `2.9.1+musa5.2.0`.
fn built_for(text: &str) -> Option<Version> {
    let marks = &DoctorTable::builtin().builds.musa;
    let rest = marks
        .iter()
        .find_map(|mark| text.split_once(mark.as_str()))?
        .1;
    version(rest).filter(|_| rest.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_wheels_are_read() {
        let shown = |found: Option<Version>| found.map(|found| found.to_string());
        assert_eq!(
            shown(version("2.9.1.post1+musa5.2.0")).as_deref(),
            Some("2.9.1")
        );
        assert_eq!(shown(version("2.0.0a0+git123")).as_deref(), Some("2.0"));
        assert_eq!(
            shown(built_for("2.9.1.post1+musa5.2.0")).as_deref(),
            Some("5.2.0")
        );
        assert_eq!(shown(built_for("2.7.1+cu126")), None);
        let table = DoctorTable::builtin();
        assert!(table.release("2.7.1+musa").is_some());
        assert!(table.release("2.70.1").is_none());
    }
}
