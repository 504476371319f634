//! `torchada run`, `torchada verify` and `torchada bench`: programs of Python's, with the package for run time in place.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::Streams;
use super::own_file::OwnFile;
use super::runtime::{AVAILABLE, DEVICE, Runtime};
use crate::cli::{Device, Exit, PackageArgs, RunArgs};
use crate::config::{ConfigError, display_path};
use crate::machine::Environment;
use crate::mapping::machine::MachineTable;
use crate::stub;

/// Run a program that was written for CUDA.
///
/// # Errors
/// When the program can't be started.
pub fn run(args: &RunArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let environment = streams.environment;
    if let Some(Some(path)) = &args.report {
        let place = OwnFile {
            path,
            option: "--report",
            otherwise: "no report of `torchada run`'s",
        };
        place.check(is_report)?;
    }
    let mut runtime = Runtime::find(&args.python, environment)?;
    let (program, arguments) = program(&args.program, &runtime.python, environment)?;
    let is_set = environment.variable(DEVICE).is_some();
    if let Some(device) = args.device.or((!is_set).then_some(Device::Auto)) {
        runtime = runtime.with(DEVICE, device.name());
    }
    if environment.variable(AVAILABLE).is_none() {
        // A program that was not ported asks for CUDA before it uses it.
        runtime = runtime.with(AVAILABLE, "1");
    }
    let Some(file) = &args.report else {
        return Err(runtime.replace(&program, &arguments, environment));
    };
    let form = if args.json { "json" } else { "text" };
    let file = file.clone().unwrap_or_default().into_os_string();
    let mut line = vec![form.into(), file, program.into_os_string()];
    line.extend(arguments);
    Err(runtime.replace_with_script(stub::SUPERVISOR, &line, environment))
}

/// Whether a text is a report of a run, in one of its two forms.
fn is_report(text: &[u8]) -> bool {
    let json = |text| serde_json::from_slice::<BTreeMap<String, serde_json::Value>>(text);
    text.starts_with(stub::REPORT_BEGINS)
        || json(text).is_ok_and(|report| report.contains_key(stub::REPORT_KEY))
}

/// Run a command of the package's own, by its name there.
///
/// # Errors
/// Python can't be started.
pub fn package(name: &str, args: &PackageArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let runtime = Runtime::find(&args.python, streams.environment)?;
    let line = [&[name.into()][..], &args.arguments].concat();
    Err(runtime.replace_with_script(stub::COMMAND, &line, streams.environment))
}

/// The program that a command line means, with its arguments: what Python would take goes to it, and what else can be
/// run is run.
fn program(
    line: &[OsString],
    python: &Path,
    environment: &Environment,
) -> Result<(PathBuf, Vec<OsString>), ConfigError> {
    let (first, rest) = line.split_first().ok_or_else(|| nothing("no program"))?;
    let for_python = || Ok((python.to_owned(), line.to_owned()));
    if first.as_encoded_bytes().starts_with(b"-") {
        check_options(line)?;
        return for_python();
    }
    let path = Path::new(first);
    let names = &MachineTable::builtin().python;
    let mut endings = names.endings.iter();
    if endings.any(|ending| path.extension() == Some(OsStr::new(ending))) || path.is_dir() {
        return for_python();
    }
    // A program beside Python, such as torchrun in a virtual environment, goes before one on the PATH.
    let is_name = !first.as_encoded_bytes().contains(&b'/');
    let beside = python.parent().filter(|_| is_name);
    let beside = beside.map(|folder| folder.join(path).to_string_lossy().into_owned());
    let found = beside
        .and_then(|path| environment.program(&path))
        .or_else(|| environment.program(&first.to_string_lossy()));
    match found {
        Some(program) => Ok((program, rest.to_owned())),
        None if path.exists() || !is_name => for_python(),
        None => Err(nothing(&display_path(path))),
    }
}

/// Refuse what Python does not know, and options that keep the package away.
fn check_options(line: &[OsString]) -> Result<(), ConfigError> {
    let names = &MachineTable::builtin().python;
    let mut words = line.iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let Some(letters) = text.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
            return Ok(());
        };
        if letters.starts_with('-') {
            return Err(ConfigError::usage(
                format!("there is no option {text}"),
                "options of `torchada run` come first, then those of Python's, then the program and its own",
            ));
        }
        let mut letters = letters.chars();
        while let Some(letter) = letters.next() {
            if names.bare_options.contains(&letter) {
                return Err(ConfigError::usage(
                    format!(
                        "with -{letter}, Python reads no PYTHONPATH, and nothing would be redirected"
                    ),
                    format!("leave -{letter} out; a port (`torchada port`) needs no PYTHONPATH"),
                ));
            }
            if names.last_options.contains(&letter) {
                return Ok(());
            }
            if names.value_options.contains(&letter) {
                if letters.as_str().is_empty() {
                    words.next();
                }
                break;
            }
        }
    }
    Ok(())
}

fn nothing(what: &str) -> ConfigError {
    ConfigError::usage(
        format!("{what} is to be run: there is neither such a file nor such a program on the PATH"),
        "name a script, `-m MODULE`, `-c CODE`, or a program such as torchrun",
    )
}
