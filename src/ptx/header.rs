//! The header with the functions that translated statements call.

use std::collections::{BTreeMap, BTreeSet};

use super::Needs;
use torchada_mapping::ptx::Ptx;

/// The path of the header in a port.
pub const FILE: &str = "torchada/ptx.muh";

/// How each header begins that a port wrote.
const MARK: &str = "// Written by torchada: ";

/// What a header has that an earlier port wrote; `None` for a file of somebody else's.
pub fn needs_of(table: &Ptx, text: &[u8]) -> Option<Needs> {
    let text = std::str::from_utf8(text).ok();
    let text = text.filter(|text| text.starts_with(MARK))?;
    let functions = table.helpers().keys();
    let is_there = |name: &str| {
        text.contains(&format!(" {name}(")) || text.contains(&format!("struct {name} "))
    };
    let functions = functions.filter(|name| is_there(name));
    let headers = text.lines().filter_map(|line| {
        let header = line.strip_prefix("#include <")?;
        header.strip_suffix('>').map(str::to_owned)
    });
    Some(Needs {
        functions: functions.cloned().collect(),
        headers: headers.collect(),
    })
}

/// Functions of the header and all that these call, each with the functions that it calls.
pub(super) fn with_called<'a>(
    table: &'a Ptx,
    functions: impl Iterator<Item = &'a str>,
) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut calls: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut open: Vec<&str> = functions.collect();
    while let Some(name) = open.pop() {
        if table.helpers().contains_key(name) && !calls.contains_key(name) {
            let called = table.calls(name);
            open.extend(&called);
            calls.insert(name, called);
        }
    }
    calls
}

/// The text of the header with these functions and what they call.
pub fn header(table: &Ptx, needs: &Needs) -> String {
    let calls = with_called(table, needs.functions.iter().map(String::as_str));
    let helpers = || calls.keys().filter_map(|name| table.helpers().get(*name));
    let mut headers: BTreeSet<&str> = needs.headers.iter().map(String::as_str).collect();
    headers.extend(helpers().flat_map(|helper| table.headers_of(&helper.code)));
    let mut text = format!(
        "{MARK}what instructions of PTX mean in C++, for the statements of this tree that were\n\
         // translated. Each function names the instruction that it stands for.\n\
         #pragma once\n\n",
    );
    for header in &headers {
        text.extend(["#include <", header, ">\n"]);
    }
    if !headers.is_empty() {
        text.push('\n');
    }
    text.push_str("namespace torchada {\nnamespace ptx {\n");
    // What is called stands before what calls it.
    let mut written: BTreeSet<&str> = BTreeSet::new();
    while written.len() < calls.len() {
        let ready = calls
            .iter()
            .find(|(name, calls)| !written.contains(*name) && calls.is_subset(&written));
        // Functions that call each other have no order; the table has none.
        let Some((&name, _)) = ready else { break };
        written.insert(name);
        let Some(helper) = table.helpers().get(name) else {
            continue;
        };
        text.push('\n');
        for line in helper.doc.trim().lines() {
            text.extend(["// ", line, "\n"]);
        }
        text.extend(["// Source: ", &helper.source, ".\n"]);
        text.push_str(helper.code.trim_end());
        text.push('\n');
    }
    text.push_str("\n}  // namespace ptx\n}  // namespace torchada\n");
    text
}
