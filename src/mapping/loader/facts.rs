//! The head of a facts file: which SDK and which `torch_musa` its rows were read from.

use serde::{Deserialize, Serialize};
use toml::de::{DeTable, DeValue};

use super::error::{MappingError, TableText};
use super::head::TableAuthor;
use super::parts::take;
use super::schema::Section;

/// The part of a facts file that says where its rows come from.
const HEAD: &str = "facts";

/// The form of facts files that is read, and written.
const FORMAT: u32 = 1;

/// Parts that rows refer to, besides the head of the table.
const SHARED: [&str; 4] = ["table", "sources", "advice", "needs"];

/// What a facts file says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Facts {
    /// The form of the file.
    pub format: u32,
    /// The version of the built-in tables whose names were looked up.
    #[serde(default)]
    pub tables: Option<String>,
    /// The release of the MUSA SDK that was read, where it says one.
    #[serde(default)]
    pub sdk: Option<String>,
    /// The release of `torch_musa` that was asked, where there was one.
    #[serde(default)]
    pub torch_musa: Option<String>,
    /// The release of `PyTorch` beside it.
    #[serde(default)]
    pub torch: Option<String>,
    /// What the compiler says of itself.
    #[serde(default)]
    pub mcc: Option<String>,
    /// The GPU generations that the compiler names.
    #[serde(default)]
    pub architectures: Vec<String>,
    /// The options that the compiler names.
    #[serde(default)]
    pub options: Vec<String>,
    /// The digest of what the folders of the SDK listed.
    #[serde(default)]
    pub listing: Option<String>,
    /// How many operators `torch_musa` has kernels of.
    #[serde(default)]
    pub operators: Option<u32>,
    /// The device whose operators they are compared with.
    #[serde(default)]
    pub operators_beside: Option<String>,
    /// The operators of that device that `torch_musa` lacks.
    #[serde(default)]
    pub operators_missing: Vec<String>,
    /// What could not be read, each with the reason.
    #[serde(default)]
    pub unread: Vec<String>,
}

impl Facts {
    /// The name of the file in the user's own folder that keeps the facts on an SDK, by the digest of its listing.
    pub fn kept_as(listing: &str) -> String {
        format!("{HEAD}-{}.toml", listing.get(..16).unwrap_or(listing))
    }

    /// The SDK, in words.
    pub fn sdk_name(&self) -> String {
        match &self.sdk {
            Some(release) => format!("MUSA SDK {release}"),
            None => "the MUSA SDK of the facts".to_owned(),
        }
    }

    /// `torch_musa`, in words.
    pub fn torch_musa_name(&self) -> String {
        match &self.torch_musa {
            Some(release) => format!("torch_musa {release}"),
            None => "torch_musa".to_owned(),
        }
    }

    /// What was read, in words: `MUSA SDK 4.3.0, torch_musa 2.7.1`.
    pub fn releases(&self) -> String {
        let sdk = match &self.sdk {
            Some(release) => format!("MUSA SDK {release}"),
            None => "MUSA SDK of no known release".to_owned(),
        };
        match &self.torch_musa {
            Some(release) => format!("{sdk}, torch_musa {release}"),
            None => sdk,
        }
    }
}

/// Takes the head out of a facts file, and sees that the file has nothing that is no fact.
///
/// # Errors
/// The first fault, with its line.
pub(super) fn take_head(
    text: &TableText<'_>,
    author: TableAuthor,
    parts: &mut DeTable<'_>,
) -> Result<Option<Facts>, MappingError> {
    let found = parts.get_key_value(HEAD);
    match (author, found) {
        (TableAuthor::Facts, None) => Err(text.fault(
            &(0..0),
            "this is no facts file: it has no [facts]; `torchada learn` writes one, and --mapping takes a table",
        )),
        (TableAuthor::User, Some((key, value)))
            if matches!(value.get_ref(), DeValue::Table(_)) =>
        {
            Err(text.fault(
                &key.span(),
                "this is a facts file: name it with --facts, or under `facts` in the configuration",
            ))
        }
        (TableAuthor::BuiltIn | TableAuthor::User, _) => Ok(None),
        (TableAuthor::Facts, Some((_, head))) => {
            let form = head.get_ref().as_table().and_then(|head| head.get("format"));
            if let Some(form) = form {
                let number = form.get_ref().as_integer().map(toml::de::DeInteger::as_str);
                if number.is_some_and(|number| number != FORMAT.to_string()) {
                    let fault = format!(
                        "the file has the format {}, and this torchada reads {FORMAT}: make it again with \
                         `torchada learn`",
                        number.unwrap_or_default()
                    );
                    return Err(text.fault(&form.span(), fault));
                }
            }
            for key in parts.keys() {
                let name = &**key.get_ref();
                let is_rows = Section::from_key(name).is_some();
                if !is_rows && name != HEAD && !SHARED.contains(&name) {
                    let fault = format!("`{name}` is no part of a facts file");
                    return Err(text.fault(&key.span(), fault));
                }
            }
            take(text, parts, HEAD)
        }
    }
}
