//! What is known of the SDK on this machine: the facts that `learn` left in the user's own folder.

use crate::config::{ConfigError, FactsInUse, display_path};
use crate::doctor::{Checked, State};
use crate::mapping::Tables;

/// The name of the check.
const NAME: &str = "facts";

/// Whether the facts of the SDK are known, and of this program's names.
pub(super) fn check(facts: Option<&Result<Option<FactsInUse>, ConfigError>>) -> Checked {
    match facts {
        None => Checked::one(NAME, State::Skipped, "there is no SDK"),
        Some(Err(why)) => Checked::one(NAME, State::Warning, why.to_string()),
        Some(Ok(None)) => {
            let what = "nothing was learned of this SDK as it is now";
            Checked::one(NAME, State::Warning, what)
        }
        Some(Ok(Some(facts))) => {
            let head = facts.table.head();
            let tables = head.tables.as_deref();
            let (path, of) = (display_path(&facts.path), head.releases());
            if let Some(older) = tables.filter(|tables| *tables != Tables::version()) {
                let what = format!(
                    "{path} ({of}) is of tables {older}, and these are {}",
                    Tables::version()
                );
                return Checked::one(NAME, State::Warning, what);
            }
            Checked::one(NAME, State::Ok, format!("{of}, in {path}"))
        }
    }
}
