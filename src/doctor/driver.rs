//! The driver and its devices.

use rustix::fs::{Access, access};

use super::checked::{Checked, Findings, State};
use crate::machine::Environment;
use crate::machine::program::Call;
use crate::mapping::doctor::{DoctorTable, Tool};

/// What the driver's program says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Driver {
    /// The program.
    pub program: String,
    /// The driver's version.
    pub version: Option<String>,
    /// The names of the devices.
    pub devices: Vec<String>,
}

/// The answer of the driver's program.
///
/// # Errors
/// Why there is none, in words.
pub fn driver(environment: &Environment) -> Result<Driver, String> {
    let tools = &DoctorTable::builtin().tool;
    let found = tools
        .iter()
        .find_map(|tool| Some((tool, environment.program(&tool.program)?)));
    let Some((tool, path)) = found else {
        let names: Vec<&str> = tools.iter().map(|tool| &*tool.program).collect();
        return Err(format!("there is no {} on the PATH", names.join(" or ")));
    };
    let answer = Call::new(&path, environment)
        .arguments(&tool.arguments)
        .run();
    if answer.is_success() {
        return Ok(read(tool, &String::from_utf8_lossy(&answer.out)));
    }
    let why = answer.last_error().or_else(|| answer.first_line());
    let why = why.map(|why| format!(": {why}")).unwrap_or_default();
    let call = [std::slice::from_ref(&tool.program), &tool.arguments].concat();
    Err(format!("`{}`: {}{why}", call.join(" "), answer.end))
}

/// The values behind the tool's words.
fn read(tool: &Tool, text: &str) -> Driver {
    let values = |word: &str| -> Vec<String> {
        let lines = text.lines();
        let values = lines.filter_map(|line| {
            let (_, rest) = line.split_once(word)?;
            let value = rest.trim_start().strip_prefix(':')?;
            let value = value.trim().trim_end_matches('|').trim_end();
            (!value.is_empty()).then(|| value.to_owned())
        });
        values.collect()
    };
    Driver {
        program: tool.program.clone(),
        version: values(&tool.driver).into_iter().next(),
        devices: values(&tool.device),
    }
}

/// Whether the driver answers.
pub(super) fn check_driver(driver: &Result<Driver, String>) -> Checked {
    match driver {
        Ok(driver) => {
            let version = driver.version.as_ref();
            let version = version.map(|version| format!(", driver {version}"));
            let devices = counted(&driver.devices);
            let says = format!(
                "{} answers{}{devices}",
                driver.program,
                version.unwrap_or_default()
            );
            Checked::one("driver", State::Ok, says)
        }
        Err(why) => Checked::one("driver", State::Failed, why),
    }
}

/// `, 2 devices: MTT S5000`.
fn counted(devices: &[String]) -> String {
    let mut kinds: Vec<&str> = devices.iter().map(String::as_str).collect();
    kinds.sort_unstable();
    kinds.dedup();
    match devices.len() {
        0 => String::new(),
        1 => format!(", 1 device: {}", kinds.join(", ")),
        more => format!(", {more} devices: {}", kinds.join(", ")),
    }
}

/// Whether the nodes of the devices are there, and this user's to open.
pub(super) fn check_nodes(environment: &Environment) -> Checked {
    let table = &DoctorTable::builtin().nodes;
    let folder = environment.place(&table.folder);
    let mut nodes = Vec::new();
    for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(&table.front) {
            nodes.push(name);
        }
    }
    nodes.sort();
    let mut findings = Findings::of("nodes");
    if nodes.is_empty() {
        let (place, front) = (&table.folder, &table.front);
        findings.say(State::Failed, format!("there is no {place}/{front}*"));
        return findings.end();
    }
    let closed: Vec<&String> = nodes
        .iter()
        .filter(|name| access(folder.join(name), Access::READ_OK | Access::WRITE_OK).is_err())
        .collect();
    for name in closed {
        let what = format!("{}/{name} is there, and you may not open it", table.folder);
        findings.say(State::Failed, what);
    }
    findings.say(State::Ok, format!("{}/{}", table.folder, nodes.join(", ")));
    findings.end()
}
