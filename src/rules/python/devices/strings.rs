//! Strings that name a device: `"cuda"`, `"cuda:0"`, `f"cuda:{rank}"`.

use super::both_names::{BothNames, compare_with_both, is_removed_twice, with_both};
use super::change::change;
use super::device_string::{DeviceString, Verdict};
use super::implementations::is_implementation;
use super::releases::{is_key_of_releases, names_release};
use super::users_words::takes_users_word;
use super::{own_devices, text_with_device};
use crate::Outcome;
use crate::python::PythonUnit;
use crate::python::inference::{names_device, puts_in_suffix, string_role};
use crate::python::reserved::alternatives::Alternatives;
use crate::python::reserved::alternatives_beside::alternatives_to;
use torchada_diagnostic::codes::python::{MAY_BE_DEVICE, ONE_OF_SEVERAL, USED_AS_BOTH};
use torchada_diagnostic::{Applicability, KeptReason};
use torchada_syntax::python::{Consumer, Field, Literal};
use torchada_text::TextRange;

/// Strings that name a device.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    for device in &unit.context.knowledge.devices {
        for literal in unit.literals(&[&device.cuda]) {
            if unit.is_claimed(out, literal.node) {
                continue;
            }
            let stays = text_with_device::stays(unit, &literal, &device.cuda, &device.to);
            if let Some((why, help)) = stays {
                let range = unit.module.tree.range(literal.node);
                let message = format!("{} stays: {why}", unit.shown(range));
                unit.report(out, MAY_BE_DEVICE, range, message, help);
                continue;
            }
            if !names_device(&literal, &device.cuda) && !begins_device(unit, &literal, &device.cuda)
            {
                continue;
            }
            if names_release(unit, &literal) || is_key_of_releases(unit, &literal) {
                out.keep(unit.module.tree.range(literal.node), KeptReason::NotADevice);
                continue;
            }
            let one = DeviceString {
                unit,
                of: unit.module.use_of(literal.node),
                range: unit.module.tree.range(literal.node),
                literal,
                cuda: &device.cuda,
                musa: &device.to,
            };
            one.translate(out);
        }
        report_in_capitals(unit, out, &device.cuda, &device.to);
    }
}

/// Report devices in capitals. `PyTorch` takes none, so the code puts them in small letters first, or another library takes
/// them: `device="CUDA:0"`.
fn report_in_capitals(unit: &PythonUnit<'_>, out: &mut Outcome, cuda: &str, musa: &str) {
    let capitals = cuda.to_ascii_uppercase();
    for literal in unit.literals(&[&capitals]) {
        let is_device = || string_role(unit, &unit.module.use_of(literal.node)).is_device();
        if !unit.is_musa()
            || unit.is_claimed(out, literal.node)
            || !names_device(&literal, &capitals)
            || !is_device()
        {
            continue;
        }
        let range = unit.claim(out, literal.node);
        let shown = unit.shown(range);
        let message = format!("{shown} stays: no device of PyTorch's has a name in capitals");
        let help = format!(
            "write `{}` where the code puts it in small letters for PyTorch",
            musa.to_ascii_uppercase()
        );
        unit.report(out, MAY_BE_DEVICE, range, message, help);
    }
}

/// Whether a text that a number with its colon is put into is a device: `torch.device(f"cuda{suffix}")`. Only what takes
/// the text tells so, because `f"cuda{version}"` has the same form.
fn begins_device(unit: &PythonUnit<'_>, literal: &Literal, cuda: &str) -> bool {
    puts_in_suffix(literal, cuda)
        && string_role(unit, &unit.module.use_of(literal.node)).is_device()
}

impl DeviceString<'_, '_> {
    fn names(&self) -> BothNames<'_> {
        BothNames {
            cuda: self.cuda,
            musa: self.musa,
        }
    }

    fn translate(&self, out: &mut Outcome) {
        if is_removed_twice(self.unit, &self.of, self.musa) {
            return out.keep(self.range, KeptReason::MusaBranch);
        }
        match self.verdict() {
            Verdict::Device => self.device(out),
            Verdict::Kept(reason) => out.keep(self.range, reason),
            Verdict::OneOfSeveral => self.one_of_several(out),
            Verdict::Both => self.both(out),
            Verdict::Unclear => self.unclear(out),
        }
    }

    /// Report a string of which the context does not say whether it is a device.
    fn unclear(&self, out: &mut Outcome) {
        let (unit, range) = (self.unit, self.range);
        if own_devices::is_projects(unit, out, range, self.musa) {
            return;
        }
        if !self.is_numbered() && is_implementation(unit, &self.of) {
            return out.keep(range, KeptReason::NotADevice);
        }
        let shown = unit.shown(range);
        let message =
            format!("{shown} stays: whether it names a device is not clear from its context");
        let help = format!("write `{}` where it is a device of PyTorch's", self.musa);
        unit.report(out, MAY_BE_DEVICE, range, message, help);
    }

    /// Report a device that the project offers next to other platforms, none of which is MUSA.
    fn one_of_several(&self, out: &mut Outcome) {
        let (unit, range) = (self.unit, self.range);
        if self.is_reported_in_annotation() {
            return out.keep(range, KeptReason::NamedBeside);
        }
        let shown = unit.shown(range);
        let message =
            format!("{shown} stays: it is one of several platforms, and MUSA is none of them");
        let help = format!("add an entry for `{}` beside it", self.musa);
        unit.report(out, ONE_OF_SEVERAL, range, message, help);
    }

    /// Whether the annotation of what gets the string has the same text, and the finding: `device: Literal["cuda", "hip"] =
    /// "cuda"`.
    fn is_reported_in_annotation(&self) -> bool {
        let tree = &self.unit.module.tree;
        let (Consumer::Default { name, .. } | Consumer::Target { target: name }) = self.of.consumer
        else {
            return false;
        };
        let typed = tree.parent(name).and_then(|up| tree.child(up, Field::Type));
        let mut parts = typed.into_iter().flat_map(|typed| tree.below(typed));
        parts.any(|part| {
            let text = Literal::read(tree, part);
            text.is_some_and(|text| text.value() == self.literal.value())
        })
    }

    /// Report a string whose value is used as a device and as something else.
    fn both(&self, out: &mut Outcome) {
        let (unit, of, range) = (self.unit, &self.of, self.range);
        match alternatives_to(unit, of) {
            Alternatives::Musa => return out.keep(range, KeptReason::MusaBranch),
            Alternatives::OtherVendors => return self.one_of_several(out),
            Alternatives::None => {}
        }
        if !unit.is_musa() && !matches!(of.consumer, Consumer::Comparison { .. }) {
            return;
        }
        let shown = unit.shown(range);
        let message =
            format!("{shown} stays: what holds it is used as a device and as something else");
        let finding = unit.finding(USED_AS_BOTH, range, message);
        if !unit.is_musa() {
            let help = format!(
                "let `{}` pass, too, where only the device counts",
                self.musa
            );
            out.report(finding.help(help));
            return;
        }
        out.report(finding.help(format!(
            "where only the device counts, write `{}`, which `--unsafe` does; else keep the two apart",
            self.musa
        )));
        if let Some(place) = self.place() {
            change(unit, out, place, self.musa, Applicability::Unsafe);
        }
    }

    /// The range of CUDA's name in the file. `None` where an escape or a seam of literals stands inside the name.
    fn place(&self) -> Option<TextRange> {
        self.literal.in_file(TextRange::new(0, self.cuda.len()))
    }

    /// Translate a string that surely is a device.
    fn device(&self, out: &mut Outcome) {
        let (unit, of, range) = (self.unit, &self.of, self.range);
        if own_devices::is_projects(unit, out, range, self.musa) {
            return;
        }
        if !unit.is_musa() {
            compare_with_both(unit, out, &self.literal, of, self.names());
            return;
        }
        let Some(place) = self.place() else {
            let shown = unit.shown(range);
            let message = format!("{shown} names a device in a way that can't be changed in place");
            let help = format!("write `{}`", self.musa);
            unit.report(out, MAY_BE_DEVICE, range, message, help);
            return;
        };
        if takes_users_word(unit, of, self.literal.node)
            && let Some((place, to)) = with_both(unit, &self.literal, of, self.names())
        {
            out.keep(range, KeptReason::BesideMusas);
            change(unit, out, place, &to, Applicability::Safe);
            return;
        }
        change(unit, out, place, self.musa, Applicability::Safe);
    }
}
