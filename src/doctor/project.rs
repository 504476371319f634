//! What a project needs of the machine.

use std::collections::{BTreeMap, BTreeSet};

use super::checked::{Checked, Findings, State};
use super::loader::Loader;
use super::{Machine, Python};
use crate::machine::Environment;
use crate::machine::sdk::Sdk;
use crate::mapping::Version;
use crate::mapping::doctor::DoctorTable;
use crate::text::{counted, first_of};

/// How many names a line shows.
const SHOWN: usize = 5;

/// What the port of a project needs.
#[derive(Clone, Debug, Default)]
pub struct Needs {
    /// MUSA's headers that it includes.
    pub headers: BTreeSet<String>,
    /// MUSA's libraries that it links, without `lib` and an ending, or files of them.
    pub libraries: BTreeSet<String>,
    /// Names that came with a release of the SDK, by that release.
    pub since_sdk: BTreeMap<String, BTreeSet<String>>,
    /// Names that came with a release of `torch_musa`, by that release.
    pub since_torch_musa: BTreeMap<String, BTreeSet<String>>,
    /// Names that MUSA lacks, each with how many places it has.
    pub absent: BTreeMap<String, usize>,
    /// Names that are translated by rule alone, or of which nothing is known, each with how many places it has.
    pub unsure: BTreeMap<String, usize>,
    /// What some GPUs lack or do otherwise.
    pub limits: Vec<TargetLimit>,
    /// The facts of an SDK that answer for names, if there are any.
    pub facts: Option<String>,
    /// Whether the project is a port. A port has no names of CUDA's left by which `doctor` could see what it needs.
    pub is_port: bool,
    /// The GPUs that the project names; empty for all.
    pub targets: Vec<String>,
}

/// What the project uses and some GPUs lack or do otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetLimit {
    /// In a few words, with a code if there is one.
    pub what: String,
    /// The GPUs that it concerns.
    pub targets: Vec<String>,
    /// Where it is used, counted: `2 places`.
    pub uses: String,
}

/// The checks of a project, in their order.
const CHECKS: [&str; 5] = [
    "project-libraries",
    "project-sdk",
    "project-torch-musa",
    "project-targets",
    "project-names",
];

/// A check that can't be made of a port.
fn of_port(name: &'static str) -> Checked {
    let mut findings = Findings::of(name);
    let what = "the project is a port; the tree that it was made of tells what it needs: `torchada doctor TREE`";
    findings.say(State::Skipped, what);
    findings.end()
}

impl Needs {
    /// Whether the machine has what the project needs.
    pub fn check(&self, machine: &Machine, environment: &Environment) -> Vec<Checked> {
        if self.is_port {
            return CHECKS.map(of_port).into();
        }
        let sdk = machine.sdk.as_ref().ok();
        vec![
            self.check_libraries(sdk, environment),
            age(
                "project-sdk",
                "the SDK",
                &self.since_sdk,
                sdk.and_then(Sdk::sure_version),
            ),
            age(
                "project-torch-musa",
                "torch_musa",
                &self.since_torch_musa,
                torch_musa(machine.python.as_ref().ok()).as_ref(),
            ),
            self.check_targets(machine),
            self.check_names(),
        ]
    }

    fn check_libraries(&self, sdk: Option<&Sdk>, environment: &Environment) -> Checked {
        let mut findings = Findings::of("project-libraries");
        let count = self.headers.len() + self.libraries.len();
        if count == 0 {
            findings.say(State::Ok, "it needs none");
            return findings.end();
        }
        let Some(sdk) = sdk else {
            let needed: BTreeSet<&str> = self.all().collect();
            let what = format!("there is no SDK; it needs {}", shown(needed.into_iter()));
            findings.say(State::Skipped, what);
            return findings.end();
        };
        let loader = Loader::read(environment);
        let has = |folders: &[std::path::PathBuf], name: &str| {
            folders.iter().any(|folder| folder.join(name).exists())
        };
        for header in &self.headers {
            if !has(&sdk.include, header) {
                findings.say(State::Failed, format!("the header {header} is not there"));
            }
        }
        for library in &self.libraries {
            let files = [
                library.clone(),
                format!("lib{library}.so"),
                format!("lib{library}.a"),
            ];
            // What comes with the driver lies where the loader looks.
            let is_loaded = |file: &String| loader.find(file).is_some();
            if !files
                .iter()
                .any(|file| has(&sdk.libraries, file) || is_loaded(file))
            {
                findings.say(State::Failed, format!("the library {library} is not there"));
            }
        }
        if findings.is_empty() {
            findings.say(
                State::Ok,
                format!("all {count} are there: {}", shown(self.all())),
            );
        }
        findings.end()
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        let both = self.headers.iter().chain(&self.libraries);
        both.map(String::as_str)
    }

    /// The GPUs that count: those that the project names, else those of this machine, else all.
    fn check_targets(&self, machine: &Machine) -> Checked {
        let mut findings = Findings::of("project-targets");
        let own = machine.targets();
        let (targets, why) = match (self.targets.is_empty(), own.is_empty()) {
            (false, _) => (self.targets.clone(), "the project's"),
            (true, false) => (own, "this machine's"),
            (true, true) => (Vec::new(), "all"),
        };
        for limit in &self.limits {
            let concerned = limit.targets.iter();
            let concerned: Vec<&str> = concerned
                .filter(|target| targets.is_empty() || targets.contains(target))
                .map(String::as_str)
                .collect();
            if !concerned.is_empty() {
                let (what, uses) = (&limit.what, &limit.uses);
                let what = format!("on {}: {what} ({uses})", concerned.join(", "));
                findings.say(State::Warning, what);
            }
        }
        if findings.is_empty() {
            let names = targets.join(", ");
            let names = if names.is_empty() {
                names
            } else {
                format!(": {names}")
            };
            findings.say(State::Ok, format!("nothing that {why} GPUs lack{names}"));
        }
        findings.end()
    }

    fn check_names(&self) -> Checked {
        let mut findings = Findings::of("project-names");
        let by = self.facts.as_ref();
        let by = by.map_or_else(
            || "by the tables of this program".to_owned(),
            |facts| format!("by the facts of {facts}"),
        );
        if !self.absent.is_empty() {
            let names = counted(self.absent.len(), "name");
            let what = format!("MUSA lacks {names}, {by}: {}", most_common(&self.absent));
            findings.say(State::Warning, what);
        }
        if !self.unsure.is_empty() {
            let names = counted(self.unsure.len(), "name");
            let what = format!("nothing proves {names}: {}", most_common(&self.unsure));
            findings.say(State::Warning, what);
            if self.facts.is_none() {
                findings.fix("Run `torchada learn`: then each name is there or it is not.");
            }
        }
        if findings.is_empty() {
            findings.say(State::Ok, format!("every name is there, {by}"));
        } else if !self.absent.is_empty() {
            let check = DoctorTable::builtin().check("project-names");
            findings.fix(check.map_or("", |check| check.fix.as_str()));
        }
        findings.end()
    }
}

/// Whether something is as new as the names that need it.
fn age(
    check: &str,
    of: &str,
    since: &BTreeMap<String, BTreeSet<String>>,
    version: Option<&Version>,
) -> Checked {
    let parsed = |text: &str| text.parse::<Version>().ok();
    let releases = since
        .iter()
        .filter_map(|(release, names)| Some((parsed(release)?, names)));
    let Some((newest, names)) = releases.max_by(|(a, _), (b, _)| a.cmp(b)) else {
        return Checked::one(check, State::Ok, "no name needs a certain release");
    };
    let names = shown(names.iter().map(String::as_str));
    match version {
        None => {
            let what = format!(
                "{of} has to be {newest} at least for {names}, and its version is not known"
            );
            Checked::one(check, State::Skipped, what)
        }
        Some(version) if *version < newest => {
            let what = format!("{of} is {version}, and has to be {newest} at least for {names}");
            Checked::one(check, State::Failed, what)
        }
        Some(version) => {
            let what = format!("{of} is {version}, and {newest} is enough");
            Checked::one(check, State::Ok, what)
        }
    }
}

fn torch_musa(python: Option<&Python>) -> Option<Version> {
    let imported = python?.imported.as_ref().ok()?;
    super::python::version(imported.torch_musa_version()?)
}

/// The first names of a list, and how many more there are.
fn shown<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let all: Vec<&str> = names.collect();
    first_of(&all, SHOWN)
}

/// The names with most places.
fn most_common(names: &BTreeMap<String, usize>) -> String {
    let mut all: Vec<(&String, &usize)> = names.iter().collect();
    all.sort_by_key(|(name, places)| (std::cmp::Reverse(**places), *name));
    let texts: Vec<String> = all
        .iter()
        .map(|(name, places)| format!("{name} ({})", counted(**places, "place")))
        .collect();
    shown(texts.iter().map(String::as_str))
}
