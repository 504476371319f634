//! The form of a token in which an original and its port can be compared.

use std::borrow::Cow;
use std::collections::BTreeMap;

use torchada::mapping::{Section, Tables};
use torchada::shim::Aliases;
use torchada::syntax::{is_identifier_part, is_identifier_start};

/// What brings the tokens of both sides to one spelling.
pub struct Canon {
    aliases: Aliases,
    /// Qualified names whose counterparts stand elsewhere, with these in CUDA's spelling:
    /// `torch::cuda::is_available` and `at::cuda::is_available`.
    moved: Vec<(Vec<String>, Vec<String>)>,
    /// What strings name besides: files of libraries, variables of the environment. Both sides
    /// get MUSA's spelling, which several of CUDA's may share.
    named: BTreeMap<String, String>,
}

impl Canon {
    /// The spelling that the tables and a shim's aliases give.
    pub fn new(tables: &Tables, aliases: Aliases) -> Self {
        let rows = [Section::Namespaces, Section::Qualified]
            .into_iter()
            .flat_map(|section| tables.rows(section));
        let parts = |name: &str| -> Vec<String> {
            let meaning = |part| aliases.meaning(part).unwrap_or(part).to_owned();
            name.split("::").map(meaning).collect()
        };
        let mut moved: Vec<_> = rows
            .filter_map(|row| Some((parts(&row.cuda), parts(row.to.as_deref()?))))
            .filter(|(cuda, back)| cuda != back)
            .collect();
        // The longest name that fits is the one that is meant.
        moved.sort_by_key(|(cuda, _)| std::cmp::Reverse(cuda.len()));
        let named = [Section::LibraryFiles, Section::Environment]
            .into_iter()
            .flat_map(|section| tables.rows(section))
            .filter_map(|row| Some((row.cuda.to_string(), row.to.as_ref()?.to_string())))
            .collect();
        Self {
            aliases,
            moved,
            named,
        }
    }

    /// A token in CUDA's spelling.
    pub fn token<'t>(&'t self, token: &'t [u8]) -> Cow<'t, [u8]> {
        match token.first() {
            Some(&first) if is_identifier_start(first) && !token.contains(&b'"') => {
                self.identifier(token)
            }
            _ if token.contains(&b'"') => Cow::Owned(self.string(token)),
            _ => Cow::Borrowed(token),
        }
    }

    fn identifier<'t>(&'t self, name: &'t [u8]) -> Cow<'t, [u8]> {
        let Ok(text) = std::str::from_utf8(name) else {
            return Cow::Borrowed(name);
        };
        if let Some(meaning) = self.aliases.meaning(text) {
            return Cow::Borrowed(meaning.as_bytes());
        }
        // Names that PyTorch's macros paste together: `TORCH_LIBRARY_IMPL_init_x_PrivateUse1_2`.
        let pasted =
            |(musa, _): &(&String, &String)| text.split('_').any(|piece| piece == musa.as_str());
        match self.aliases.native.iter().find(pasted) {
            Some((musa, cuda)) => Cow::Owned(text.replace(musa.as_str(), cuda).into_bytes()),
            None => Cow::Borrowed(name),
        }
    }

    /// A string in which names have CUDA's spelling: `#x` and `__FILE__` show the port's.
    fn string(&self, text: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len());
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            if !is_identifier_start(byte) {
                out.push(byte);
                at += 1;
                continue;
            }
            let rest = text.get(at..).unwrap_or_default();
            if let Some((length, name)) = self.named(rest) {
                out.extend(name.as_bytes());
                at += length;
                continue;
            }
            let length = rest
                .iter()
                .position(|&byte| !is_identifier_part(byte))
                .unwrap_or(rest.len());
            let word = rest.get(..length).unwrap_or_default();
            let is_ending = out.last() == Some(&b'.');
            match word {
                b"mu" if is_ending => out.extend(b"cu"),
                b"muh" if is_ending => out.extend(b"cuh"),
                _ => out.extend(&*self.identifier(word)),
            }
            at += length;
        }
        out
    }

    /// The file of a library or the variable that a text begins with: its length, and what MUSA
    /// calls it.
    fn named(&self, text: &[u8]) -> Option<(usize, &str)> {
        let is_part = |byte: u8| is_identifier_part(byte) || b".-+".contains(&byte);
        let end = text.iter().position(|&byte| !is_part(byte));
        let word = text.get(..end.unwrap_or(text.len()))?;
        let name = self.named.get(std::str::from_utf8(word).ok()?)?;
        Some((word.len(), name))
    }

    /// How many tokens at the front of `tokens` are a qualified name of the original's that the
    /// port has elsewhere, and what it has there.
    pub fn moved<T: AsRef<[u8]>>(&self, tokens: &[T]) -> Option<(usize, Vec<Vec<u8>>)> {
        let fits = |cuda: &[String]| {
            let spelled = cuda.iter().map(String::as_bytes);
            let wanted = separated(spelled);
            tokens.len() >= wanted.len()
                && wanted
                    .iter()
                    .zip(tokens)
                    .all(|(wanted, token)| *wanted == token.as_ref())
        };
        let (cuda, back) = self.moved.iter().find(|(cuda, _)| fits(cuda))?;
        let back = separated(back.iter().map(String::as_bytes));
        let owned = back.into_iter().map(<[u8]>::to_vec).collect();
        Some((cuda.len() * 2 - 1, owned))
    }
}

/// Parts of a name with `::` between them.
fn separated<'a>(parts: impl Iterator<Item = &'a [u8]>) -> Vec<&'a [u8]> {
    let mut out: Vec<&[u8]> = Vec::new();
    for part in parts {
        if !out.is_empty() {
            out.push(b"::");
        }
        out.push(part);
    }
    out
}
