//! Python that supports MUSA already.

use std::collections::BTreeSet;

use super::Ported;
use torchada_diagnostic::Finding;
use torchada_diagnostic::codes::project::SUPPORTED;
use torchada_text::and_more;

/// One finding for the tree, at the first question whether the program runs on MUSA.
pub(super) fn check(ported: &Ported<'_>, found: &mut Vec<(usize, Finding)>) {
    let all = &ported.project.musa_support;
    // A port imports the package, too, and asks for MUSA by that package alone.
    let mut asking = all.iter().filter(|one| one.question.is_some());
    let imported = asking.find_map(|one| Some((one.file, one.imports_runtime?)));
    if let Some((index, place)) = imported {
        let message = "this project imports the package for run time itself, which translates what it asks of CUDA";
        let help = "try it on MUSA as it is: a port puts MUSA's names where the project relies on that package";
        let message = message.to_owned();
        found.extend(ported.finding(index, SUPPORTED, place, message, help.to_owned()));
        return;
    }
    let mut first = None;
    let mut asking = 0;
    let mut folders: BTreeSet<&str> = BTreeSet::new();
    let mut modules = 0;
    for one in all {
        if let Some(place) = one.question {
            asking += 1;
            first.get_or_insert((one.file, place));
        }
        modules += usize::from(one.own_path.is_some());
        let path = ported.project.files.get(one.file).map(|file| &*file.path);
        folders.extend(
            path.zip(one.own_path)
                .and_then(|(path, end)| path.get(..end)),
        );
    }
    let Some((index, place)) = first else { return };
    let files = match asking {
        1 => "1 file asks".to_owned(),
        count => format!("{count} files ask"),
    };
    let mut own = String::new();
    if let Some(folder) = folders.first() {
        let more = and_more(folders.len() - 1);
        let modules = match modules {
            1 => "1 module".to_owned(),
            count => format!("{count} modules"),
        };
        own = format!("; it has {modules} for MUSA (`{folder}`{more})");
    }
    let message = format!("this project supports MUSA already: {files} for it{own}");
    let help = "its own branches for MUSA stay as they are: look for branches for CUDA that have none for MUSA beside them";
    found.extend(ported.finding(index, SUPPORTED, place, message, help.to_owned()));
}
