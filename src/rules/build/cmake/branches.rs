//! Branches for other platforms, and those that are MUSA's already.

use super::find_commands;
use super::pass::Pass;
use torchada_diagnostic::KeptReason;
use torchada_project::{ConditionPlatform, platform_of_block};
use torchada_syntax::cmake::Command;
use torchada_text::contains;

/// Leave what stands in such branches. Returns whether the whole file is left.
pub(super) fn leave_others(pass: &mut Pass<'_>) -> bool {
    let file = pass.file;
    if let Some(reason) = whole(pass) {
        for command in &file.commands {
            keep_words(pass, command, reason);
        }
        return true;
    }
    for command in &file.commands {
        let mut blocks = file.blocks(command.at);
        let Some(reason) = blocks.find_map(|block| reason(pass, block)) else {
            continue;
        };
        keep_words(pass, command, reason);
        pass.skipped.insert(command.at);
    }
    // The condition itself names the platforms on purpose.
    for command in pass.commands() {
        if matches!(command.lower_name(), "if" | "elseif") && asks(pass, command.at).is_some() {
            keep_words(pass, command, KeptReason::VendorBranch);
        }
    }
    false
}

/// Say of each word of CUDA's in a command why it stays.
fn keep_words(pass: &mut Pass<'_>, command: &Command, reason: KeptReason) {
    let arguments = command.arguments.iter().map(|one| one.inner);
    for part in std::iter::once(command.name).chain(arguments) {
        for word in pass.words_of_cuda(part) {
            pass.keep(word, reason);
        }
    }
}

/// Why a file as a whole is left: it lies with another vendor's sources, or looks for another platform, or for MUSA, and
/// nowhere for CUDA.
fn whole(pass: &Pass<'_>) -> Option<KeptReason> {
    if pass.unit.project.is_in_vendor_folder(pass.unit.index) {
        return Some(KeptReason::VendorBranch);
    }
    let text = pass.unit.text;
    let mut found = None;
    for command in &pass.file.commands {
        let name = command.lower_name();
        let words = pass.words(command);
        let looks = match name {
            "project" | "enable_language" => words.as_slice(),
            _ if find_commands::package(pass.table, text, command).is_some() => {
                words.get(..1).unwrap_or_default()
            }
            _ => continue,
        };
        let is_cudas =
            |word: &&str| **word == pass.table.language || pass.table.packages.contains_key(*word);
        if name != "project" && looks.iter().any(is_cudas)
            || name == "project" && looks.iter().skip(1).any(is_cudas)
        {
            return None;
        }
        // What a branch for a platform looks for says nothing of the file around it.
        if found.is_some()
            || pass
                .file
                .blocks(command.at)
                .any(|one| reason(pass, one).is_some())
        {
            continue;
        }
        let looked = looks.iter().skip(usize::from(name == "project"));
        let mut vendors = looked.filter_map(|word| vendor(pass, word));
        found = vendors.next();
    }
    // A file that speaks of CUDA's own as well is for both.
    let marks = &pass.table.marks;
    let is_cudas_too = marks.iter().any(|mark| contains(text, mark));
    let is_musas = found == Some(KeptReason::MusaBranch);
    found.filter(|_| is_musas || !is_cudas_too)
}

/// The platform that a package is of.
fn vendor(pass: &Pass<'_>, package: &str) -> Option<KeptReason> {
    let upper = package.to_ascii_uppercase();
    let musas = pass
        .table
        .packages
        .values()
        .any(|row| row.to.as_deref() == Some(package));
    if musas {
        return Some(KeptReason::MusaBranch);
    }
    let vendor = pass.unit.context.knowledge.vendor_of_macro(&upper)?;
    (!vendor.is_target()).then_some(KeptReason::VendorBranch)
}

/// Why the block that a command opens is left.
fn reason(pass: &Pass<'_>, opener: usize) -> Option<KeptReason> {
    let command = pass.file.commands.get(opener)?;
    match command.lower_name() {
        "if" | "elseif" => asks(pass, opener),
        // Where MUSA's branch is there, the other one is not MUSA's.
        "else" => {
            let head = command.head?;
            let before = pass.file.commands.get(head..opener).unwrap_or_default();
            let mut branches = before.iter().filter(|one| one.is_branch_of(head));
            let is_musas = branches.any(|one| asks(pass, one.at) == Some(KeptReason::MusaBranch));
            is_musas.then_some(KeptReason::MusaBranch)
        }
        _ => None,
    }
}

/// The platform other than CUDA that the condition of a block asks for, and for nothing else.
fn asks(pass: &Pass<'_>, opener: usize) -> Option<KeptReason> {
    let knowledge = pass.unit.context.knowledge;
    let platform = platform_of_block(pass.file, pass.unit.text, opener, knowledge)?;
    Some(match platform {
        ConditionPlatform::Musa => KeptReason::MusaBranch,
        ConditionPlatform::Other => KeptReason::VendorBranch,
    })
}
