//! The imports of an outline: what they name, and whether the code around them catches their failure.

use super::super::lines::LogicalLine;
use super::Imported;
use super::blocks::{Holder, Reader};
use super::words::{after_as, split_dotted, without_comments};

/// Exceptions that a failed import is.
const FAILURES: [&str; 4] = [
    "ImportError",
    "ModuleNotFoundError",
    "Exception",
    "BaseException",
];

impl<'t> Reader<'t> {
    /// `except ImportError:`
    pub(super) fn handler(&mut self, indent: usize, rest: &str, before: Option<Holder>) {
        let (from, to) = match before {
            Some(Holder::Try(from)) => (from, self.counts()),
            Some(Holder::Handler { from, to, .. }) => (from, to),
            _ => (self.counts(), self.counts()),
        };
        let catches = catches_failed_import(rest);
        self.open
            .push((indent, Holder::Handler { from, to, catches }));
    }

    /// A handler whose own statement raises or ends the program does not catch anything.
    pub(super) fn fails(&mut self) {
        if let Some((_, Holder::Handler { catches, .. })) = self.open.last_mut() {
            *catches = false;
        }
    }

    pub(super) fn import(&mut self, line: &LogicalLine<'t>, rest: &'t str) {
        for part in rest.split(',') {
            let (module, behind) = split_dotted(part.trim());
            let alias = after_as(behind);
            let first = module.split('.').next().unwrap_or(module);
            if !module.is_empty() {
                self.outline.imports.push(Imported {
                    at: line.at,
                    module,
                    member: None,
                    alias: alias.unwrap_or(first),
                    is_aliased: alias.is_some(),
                    guard: self.guard(),
                    branch: self.innermost(),
                    function: self.running_function(),
                });
            }
        }
    }

    pub(super) fn import_from(&mut self, line: &LogicalLine<'t>, rest: &'t str) {
        let (module, names) = split_dotted(rest);
        let Some(names) = names.trim_start().strip_prefix("import") else {
            return;
        };
        let names = names.trim().trim_start_matches('(').trim_end_matches(')');
        let (guard, branch) = (self.guard(), self.innermost());
        let function = self.running_function();
        let one = |member, alias: &'t str, is_aliased| Imported {
            at: line.at,
            module,
            member,
            alias,
            is_aliased,
            guard,
            branch,
            function,
        };
        if names.trim().starts_with('*') {
            self.outline.stars.push(one(None, "*", false));
            return;
        }
        for part in without_comments(names).flat_map(|part| part.split(',')) {
            let part = part.trim().trim_start_matches('\\').trim();
            let (name, behind) = split_dotted(part);
            let alias = after_as(behind);
            if !name.is_empty() {
                self.outline
                    .imports
                    .push(one(Some(name), alias.unwrap_or(name), alias.is_some()));
            }
        }
    }
}

/// Whether a handler catches the failure of an import, by its head: it names such an exception, or none.
pub fn catches_failed_import(head: &str) -> bool {
    let clause = head.trim();
    let clause = clause.strip_prefix("except").unwrap_or(clause);
    let clause = clause.trim_start_matches(['*', ' ']);
    clause.is_empty() || clause.starts_with(':') || names_failure(clause)
}

/// Whether one of the names in a clause is an exception that a failed import is.
pub(super) fn names_failure(clause: &str) -> bool {
    let mut words = clause.split(|one: char| !(one.is_alphanumeric() || one == '_'));
    words.any(|word| FAILURES.contains(&word))
}
