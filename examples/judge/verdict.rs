//! What a reader may say of a token, and what it makes of what the port did.

use anyhow::{Result, bail};

/// What should happen to a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// This text should stand there.
    Edit(String),
    /// A finding should speak of it, and no edit be made.
    Report,
    /// Either serves; an edit with this text.
    Either(String),
    /// There is nothing to do or to say.
    Stay,
    /// Whatever was done is as good: the row counts for nothing.
    Any,
}

impl Verdict {
    /// Read what is written in a table.
    pub(crate) fn new(text: &str) -> Result<Self> {
        Ok(match text {
            "report" => Self::Report,
            "stay" => Self::Stay,
            "any" => Self::Any,
            "edit-or-report" => Self::Either(String::new()),
            _ => {
                if let Some(new) = text.strip_prefix("edit:") {
                    Self::Edit(new.to_owned())
                } else if let Some(new) = text.strip_prefix("edit-or-report:") {
                    Self::Either(new.to_owned())
                } else {
                    bail!("{text:?} is no verdict");
                }
            }
        })
    }

    /// Whether the port must change or report the token.
    pub(crate) fn needs_a_word(&self) -> bool {
        !matches!(self, Self::Stay | Self::Any)
    }
}

/// What became of a token.
pub(crate) struct Treatment {
    /// What it became, where it was edited.
    pub(crate) edited: Option<(String, String)>,
    /// Whether a finding speaks of it.
    pub(crate) reported: bool,
    /// Whether the report says why it stays.
    pub(crate) kept: bool,
}

/// How a treatment stands to a verdict.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Outcome {
    /// As it should be.
    Right,
    /// Reported only, where an edit would have been right.
    ReportedOnly,
    /// A finding where there is nothing to say.
    Noise,
    /// The port neither changed nor reported the token, and should have.
    Missed,
    /// An edit that should not be, or that is another one than it should be.
    WrongEdit,
}

/// Judge a treatment.
pub(crate) fn outcome(verdict: &Verdict, treatment: &Treatment) -> Outcome {
    match (verdict, &treatment.edited) {
        (Verdict::Edit(text) | Verdict::Either(text), Some(now)) => {
            if fits(text, now) {
                Outcome::Right
            } else {
                Outcome::WrongEdit
            }
        }
        (Verdict::Report | Verdict::Stay, Some(_)) => Outcome::WrongEdit,
        (Verdict::Stay, None) if treatment.reported => Outcome::Noise,
        (Verdict::Any, _) | (Verdict::Stay, None) => Outcome::Right,
        (Verdict::Edit(_), None) if treatment.reported => Outcome::ReportedOnly,
        (Verdict::Report | Verdict::Either(_), None) if treatment.reported => Outcome::Right,
        (Verdict::Either(_), None) if treatment.kept => Outcome::Right,
        (_, None) => Outcome::Missed,
    }
}

/// Whether a text is what stands there now: it is the token itself, or stands in what the token
/// is part of where that is more than the token. Spaces and the kind of quotes don't count.
fn fits(text: &str, (token, whole): &(String, String)) -> bool {
    let plain = |text: &str| {
        let text = text.replace('\'', "\"");
        text.split_whitespace().collect::<String>()
    };
    let (text, token, whole) = (plain(text), plain(token), plain(whole));
    text.is_empty()
        || token == text
        || token.trim_matches('"') == text.trim_matches('"')
        || (whole != token && whole.contains(&text))
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Treatment, Verdict, outcome};

    fn treatment(edited: Option<(&str, &str)>, reported: bool) -> Treatment {
        Treatment {
            edited: edited.map(|(own, whole)| (own.to_owned(), whole.to_owned())),
            reported,
            kept: false,
        }
    }

    #[test]
    fn an_edit_is_right_where_its_text_is() {
        let wants = Verdict::Edit("\"musa\"".to_owned());
        let of = |new: &str| outcome(&wants, &treatment(Some((new, new)), false));
        assert_eq!(of("'musa'"), Outcome::Right);
        assert_eq!(of("\"musa:0\""), Outcome::WrongEdit);
        assert_eq!(
            outcome(&wants, &treatment(None, true)),
            Outcome::ReportedOnly
        );
        assert_eq!(outcome(&wants, &treatment(None, false)), Outcome::Missed);
        let pair = Verdict::Edit("in (\"cuda\", \"musa\")".to_owned());
        let whole = "x.type in (\"cuda\", \"musa\")";
        let now = treatment(Some(("\"cuda\"", whole)), false);
        assert_eq!(outcome(&pair, &now), Outcome::Right);
    }

    #[test]
    fn an_edit_is_wrong_where_a_word_or_silence_is_right() {
        let now = Some(("\"musa\"", "\"musa\""));
        assert_eq!(
            outcome(&Verdict::Stay, &treatment(now, true)),
            Outcome::WrongEdit
        );
        assert_eq!(
            outcome(&Verdict::Report, &treatment(now, true)),
            Outcome::WrongEdit
        );
        assert_eq!(
            outcome(&Verdict::Stay, &treatment(None, true)),
            Outcome::Noise
        );
        assert_eq!(
            outcome(&Verdict::Stay, &treatment(None, false)),
            Outcome::Right
        );
        assert_eq!(
            outcome(&Verdict::Any, &treatment(now, false)),
            Outcome::Right
        );
    }
}
