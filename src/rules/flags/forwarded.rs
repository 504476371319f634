//! Options that nvcc hands on to the host's compiler or to the linker: mcc is both.

use super::{FlagAction, Loss, Obstacle, Receiver, Translation, Translator};
use torchada_mapping::Row;

impl Translator<'_> {
    /// `-Xlinker -rpath,/opt/lib`: nvcc parts the value at its commas, and so does a clang behind `-Wl,`.
    pub(super) fn for_the_linker(
        &self,
        mut found: Translation,
        name: &str,
        value: Option<&str>,
    ) -> Translation {
        found.receiver = Receiver::Linker;
        found.is_shared = true;
        let Some(value) = value else { return found };
        // A clang has the short one, too, with its value in the next word.
        let is_clangs = found.words == 2 && !name.starts_with("--") && !value.contains(',');
        if !is_clangs {
            let value = bare(value).split_whitespace().collect::<Vec<_>>().join(",");
            let to = format!("{}{value}", self.syntax().linker_prefix);
            found.action = FlagAction::Becomes(vec![to]);
        }
        found
    }

    /// `--include-path a,b`: nvcc parts the value at its commas, and a clang takes one option for each.
    pub(super) fn for_each(
        &self,
        mut found: Translation,
        option: &str,
        value: Option<&str>,
    ) -> Translation {
        found.is_shared = true;
        let Some(value) = value else { return found };
        let mut to = Vec::new();
        for part in bare(value).split(',') {
            let written = format!("{option}{part}");
            match self.translate(&[&written]).action {
                FlagAction::Becomes(words) => to.extend(words),
                _ => to.push(written),
            }
        }
        found.action = FlagAction::Becomes(to);
        found
    }

    /// `-Xcompiler "-fPIC,-O3"`: the options in the value are mcc's own, unless they are nvcc's for all that.
    pub(super) fn for_the_host(
        &self,
        mut found: Translation,
        row: &Row,
        value: &str,
    ) -> Translation {
        found.receiver = Receiver::Host;
        if let Some(weak) = self.too_weak(row) {
            found.action = FlagAction::Remains(Obstacle::TooWeak(weak));
            return found;
        }
        let value = bare(value);
        let syntax = self.syntax();
        if value.starts_with(syntax.windows.as_str()) {
            found.advice = Some(syntax.windows_advice.clone());
            return found.leave_out(Loss::Needless);
        }
        let mut kept = Vec::new();
        for (_, option) in self.forwarded_options(value) {
            let mut inner = self.forwarded_option(option);
            match inner.action {
                FlagAction::Becomes(to) => kept.extend(to),
                _ => kept.push(option.to_owned()),
            }
            found.left_out.append(&mut inner.left_out);
        }
        if let Some(worst) = found.left_out.iter().max_by_key(|one| one.loss)
            && kept.is_empty()
        {
            found.advice.clone_from(&worst.advice);
            let loss = worst.loss;
            return found.leave_out(loss);
        }
        found.action = FlagAction::Becomes(kept);
        found
    }

    /// The translation of one option in the value of another.
    pub fn forwarded_option(&self, option: &str) -> Translation {
        let found = self.translate(&[option]);
        let is_nvccs = !found.is_shared && !found.is_for_gpus;
        match found.action {
            FlagAction::Becomes(_) if is_nvccs => found,
            _ => Translation::stays(&[option]),
        }
    }

    /// The options in the value of another, each with its start: blanks and commas part them, but for the commas behind
    /// `-Wl,`.
    pub fn forwarded_options<'v>(&self, value: &'v str) -> Vec<(usize, &'v str)> {
        let mut found = Vec::new();
        let mut start = 0;
        for word in value.split(|one: char| one.is_ascii_whitespace()) {
            let fronts = self.syntax().hands_on.iter();
            let hands_on = fronts.filter_map(|front| word.find(front.as_str())).min();
            let (front, rest) = word.split_at(hands_on.unwrap_or(word.len()));
            let mut at = start;
            for option in front.split(',') {
                found.push((at, option));
                at += option.len() + 1;
            }
            found.push((start + front.len(), rest));
            start += word.len() + 1;
        }
        found.retain(|(_, option)| !option.is_empty());
        found
    }
}

/// A value without the marks around it.
fn bare(value: &str) -> &str {
    const MARKS: [char; 3] = ['"', '\'', '\\'];
    if value.starts_with(MARKS) {
        value.trim_matches(MARKS)
    } else {
        value
    }
}
