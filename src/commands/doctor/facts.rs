//! What is known of the SDK on this machine: the facts that `learn` left in the user's own folder.

use std::path::PathBuf;

use crate::doctor::{Checked, State};
use crate::files::OwnState;
use crate::machine::sdk::{Sdk, listing_digest};
use crate::mapping::{FactTable, Facts, Tables, safety};

/// The name of the check.
const NAME: &str = "facts";

/// A facts file, and what it says of itself.
pub(super) struct KnownFacts {
    pub(super) path: PathBuf,
    pub(super) head: &'static Facts,
}

/// The facts of an SDK as it is now; `None` where there are none.
///
/// # Errors
/// Why they can't be read, in words.
pub(super) fn known(sdk: &Sdk) -> Result<Option<KnownFacts>, String> {
    let listing = listing_digest(sdk).map_err(|error| error.to_string())?;
    let state = OwnState::open().map_err(|error| error.to_string())?;
    let name = format!("facts-{}.toml", listing.get(..16).unwrap_or_default());
    let path = state.path(&name);
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let bytes = state.read(&name, safety::BYTES_TABLE);
    let Some(bytes) = bytes.map_err(|error| failed(&error))? else {
        return Ok(None);
    };
    let text = String::from_utf8(bytes).map_err(|error| failed(&error))?;
    let image = FactTable::image(&path.display().to_string(), &text);
    let image = image.map_err(|error| error.to_string())?;
    let table = FactTable::open(image).ok_or_else(|| failed(&"it can't be read"))?;
    let head = table.head();
    Ok((head.listing.as_ref() == Some(&listing)).then_some(KnownFacts { path, head }))
}

/// Whether the facts of the SDK are known, and of this program's names.
pub(super) fn check(facts: Option<&Result<Option<KnownFacts>, String>>) -> Checked {
    match facts {
        None => Checked::one(NAME, State::Skipped, "there is no SDK"),
        Some(Err(why)) => Checked::one(NAME, State::Warning, why),
        Some(Ok(None)) => {
            let what = "nothing was learned of this SDK as it is now";
            Checked::one(NAME, State::Warning, what)
        }
        Some(Ok(Some(KnownFacts { path, head }))) => {
            let tables = head.tables.as_deref();
            let (path, of) = (path.display(), head.releases());
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
