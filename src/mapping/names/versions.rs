//! Releases of the MUSA SDK and of `torch_musa` that a port is for, and the rows that an older release lacks.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::{Evidence, Relation, Row, Runtime, Since};

/// A release by its number, such as `4.3.0`. `4.3` and `4.3.0` are the same.
#[derive(Clone, Eq, Debug)]
pub struct Version {
    parts: Vec<u32>,
    written: String,
}

impl Version {
    /// Its first two numbers.
    pub fn major_minor(&self) -> (u32, u32) {
        let part = |at: usize| self.parts.get(at).copied().unwrap_or_default();
        (part(0), part(1))
    }
}

impl FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let parts: Option<Vec<u32>> = text
            .split('.')
            .map(|part| part.parse().ok().filter(|_| digits(part)))
            .collect();
        match parts {
            Some(parts) if parts.len() <= 4 => Ok(Self {
                parts,
                written: text.to_owned(),
            }),
            _ => Err(format!(
                "`{text}` is no version: numbers with dots between them are, such as 4.3.0"
            )),
        }
    }
}

impl Version {
    fn part(&self, at: usize) -> u32 {
        self.parts.get(at).copied().unwrap_or(0)
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let parts = self.parts.len().max(other.parts.len());
        (0..parts)
            .map(|at| self.part(at).cmp(&other.part(at)))
            .find(|order| order.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

/// The releases that a port is for; `None` for one that nobody named, which lacks nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Versions {
    /// The MUSA SDK.
    pub sdk: Option<Version>,
    /// `torch_musa`.
    pub torch_musa: Option<Version>,
}

impl Versions {
    /// Whether anything can be lacking.
    pub fn is_empty(&self) -> bool {
        self.sdk.is_none() && self.torch_musa.is_none()
    }

    /// What something that is there since `since` waits for, in words such as `MUSA SDK 4.3.0,
    /// and this is for 4.2.0`; `None` where it is there already.
    pub fn lacks(&self, since: &Since) -> Option<String> {
        let waits = |name: &str, first: Option<&str>, ours: Option<&Version>| {
            let (first, ours) = (first?, ours?);
            // A table's version that is no number never counts as later.
            let later = first.parse::<Version>().is_ok_and(|first| first > *ours);
            later.then(|| format!("{name} {first}, and this is for {ours}"))
        };
        waits("MUSA SDK", since.sdk.as_deref(), self.sdk.as_ref()).or_else(|| {
            waits(
                "torch_musa",
                since.torch_musa.as_deref(),
                self.torch_musa.as_ref(),
            )
        })
    }
}

/// What a row says where its counterpart came too late; `None` where it is there.
pub(crate) fn not_yet(row: &Row, versions: &Versions) -> Option<Row> {
    let there = matches!(row.relation, Relation::Renamed | Relation::Same)
        && row.evidence != Some(Evidence::Sdk);
    let waits = versions.lacks(row.since.as_ref().filter(|_| there)?)?;
    let to = row.to.as_deref().unwrap_or(&row.cuda);
    Some(Row {
        to: None,
        relation: Relation::Absent,
        // What can't be forwarded is missing; what the stub does by itself it goes on doing.
        runtime: row.runtime.map(|runtime| match runtime {
            Runtime::Forward => Runtime::Missing,
            other => other,
        }),
        note: Some(Cow::Owned(format!("`{to}` came with {waits}"))),
        advice: Some(Cow::Borrowed(
            "build with that release or a later one, or keep the code that uses this out of the \
             build for this one",
        )),
        ..row.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        let version = |text: &str| text.parse::<Version>().expect("a version");
        assert!(version("4.10") > version("4.9.1"));
        assert_eq!(version("4.3"), version("4.3.0"));
        for wrong in ["", "4.", "v4.3", "4.3-rc1", "+4", "4.3.0.0.1", "latest"] {
            assert!(wrong.parse::<Version>().is_err(), "{wrong}");
        }
    }
}
