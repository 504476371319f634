//! A machine that a test makes: a folder that all usual places lie below, and small scripts for programs.

use std::ffi::OsString;
use std::path::PathBuf;

use serde_json::Value;
use tempfile::TempDir;
use torchada::cli::Exit;
use torchada::machine::Environment;

use super::{imported, installed};
use crate::common::fixtures::run_on;
use crate::common::program::text;
use crate::common::script::write_script;
use crate::common::trees::write_into;

/// A machine: a folder that all usual places lie below, with programs in `bin`.
pub(super) struct TestMachine {
    pub(super) root: TempDir,
    variables: Vec<(String, String)>,
}

impl TestMachine {
    pub(super) fn new() -> Self {
        let root = TempDir::new().expect("a folder");
        let path = format!("{}/bin:/usr/bin:/bin", root.path().display());
        let machine = Self {
            root,
            variables: Vec::new(),
        };
        machine.set("PATH", &path)
    }

    /// One with everything on it, which fits.
    pub(super) fn whole() -> Self {
        let machine = Self::new();
        machine.files(&[
            ("dev/mtgpu0", ""),
            ("dev/mtgpu1", ""),
            ("etc/os-release", "NAME=x\nPRETTY_NAME=\"Test 1.0\"\n"),
            ("proc/sys/kernel/osrelease", "5.15.0\n"),
            ("usr/lib/libmusa.so.1", ""),
            (
                "usr/local/musa/version.json",
                "{\"musa_toolkits\": {\"version\": \"5.1.0\"}}",
            ),
            ("usr/local/musa/cmake/FindMUSA.cmake", ""),
            ("usr/local/musa/include/mccl.h", ""),
            ("usr/local/musa/include/mudnn.h", ""),
            ("usr/local/musa/include/musa_runtime.h", ""),
            ("usr/local/musa/lib/libmublas.so", ""),
            ("usr/local/musa/lib/libmusart.so", ""),
        ]);
        machine.program(
            "usr/local/musa/bin/mcc",
            "echo 'mcc version 5.1.0 (made for tests)'",
        );
        machine.program(
            "bin/mthreads-gmi",
            "printf 'Driver Version : 3.3.5\\nProduct Name : MTT S5000\\nProduct Name : MTT S5000\\n'",
        );
        machine.python(&installed(), &imported());
        let lib = machine.at("usr/local/musa/lib");
        let bin = machine.at("usr/local/musa/bin");
        let path = format!("{}:{}/bin", bin.display(), machine.root.path().display());
        machine
            .set("LD_LIBRARY_PATH", &lib.to_string_lossy())
            .set("PATH", &path)
    }

    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    pub(super) fn set(mut self, name: &str, value: &str) -> Self {
        self.variables.retain(|(own, _)| own != name);
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn files(&self, files: &[(&str, &str)]) {
        write_into(self.root.path(), files);
    }

    /// A program that is a script of the shell.
    pub(super) fn program(&self, path: &str, script: &str) {
        write_script(&self.at(path), &format!("#!/bin/sh\n{script}\n"));
    }

    /// A Python that gives these answers to the two scripts that it is asked with.
    pub(super) fn python(&self, installed: &Value, imported: &Value) {
        let script = format!(
            "case \"$3\" in *importlib.metadata*) cat <<'END'\n{installed}\nEND\n;; *) cat <<'END'\n{imported}\nEND\n;; esac"
        );
        // The machine's own PATH may have no `cat`.
        self.program("bin/python3", &format!("PATH=/usr/bin:/bin\n{script}"));
    }

    /// What the program prints, with the machine's own folder as `ROOT`, and how it ends.
    pub(super) fn run(&self, arguments: &[&str]) -> (String, Exit) {
        let variables = self.variables.iter();
        let variables: Vec<(&str, &str)> = variables
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let environment = Environment::made(&variables, self.root.path());
        let line = ["torchada"].iter().chain(arguments);
        let line: Vec<OsString> = line.map(OsString::from).collect();
        let (exit, out, err) = run_on(&environment, &line, b"");
        assert_eq!(text(&err), "");
        let root = self.root.path().to_string_lossy().into_owned();
        let out = text(&anstream::adapter::strip_bytes(&out).into_vec());
        (out.replace(&root, "ROOT"), exit)
    }
}
