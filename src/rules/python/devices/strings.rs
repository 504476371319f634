//! Strings that name a device: `"cuda"`, `"cuda:0"`, `f"cuda:{rank}"`.

use super::both_names::{compare_with_both, is_removed_twice, with_both};
use super::change::change;
use super::compared::is_annotation_of_compared;
use super::declared_alternatives::alternatives_at_declaration;
use super::expected_words::is_written_by_test;
use super::implementations::is_implementation;
use super::name_fragments::is_only_name_fragment;
use super::releases::names_release;
use super::subcommands::is_subcommand;
use super::users_words::{is_word_of_option, takes_users_word};
use super::{own_devices, text_with_device};
use crate::Outcome;
use crate::python::inference::options::annotated;
use crate::python::inference::{
    StringRole, keyed_dictionary, names_device, picked, puts_in_suffix, string_role,
};
use crate::python::reserved::alternatives::Alternatives;
use crate::python::reserved::alternatives_beside::{
    alternatives_to, rivals_among, rivals_of_device,
};
use crate::python::reserved::musa_counterparts::is_guarded_case;
use crate::python::{PythonUnit, inference};
use torchada_diagnostic::codes::python::{MAY_BE_DEVICE, ONE_OF_SEVERAL, USED_AS_BOTH};
use torchada_diagnostic::{Applicability, KeptReason};
use torchada_mapping::ValueKind;
use torchada_mapping::effort::Effort;
use torchada_syntax::python::{Consumer, Field, Literal, NodeId, Use};
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
                let finding = unit.finding(MAY_BE_DEVICE, range, message);
                out.report(finding.help(help));
                continue;
            }
            if !names_device(&literal, &device.cuda) && !begins_device(unit, &literal, &device.cuda)
            {
                continue;
            }
            if names_release(unit, &literal) {
                out.keep(unit.module.tree.range(literal.node), KeptReason::NotADevice);
                continue;
            }
            let one = Device {
                literal,
                cuda: &device.cuda,
                musa: &device.to,
            };
            one.translate(unit, out);
        }
    }
}

/// Whether a text that a number with its colon is put into is a device: `torch.device(f"cuda{suffix}")`. Only what takes
/// the text tells so, because `f"cuda{version}"` has the same form.
fn begins_device(unit: &PythonUnit<'_>, literal: &Literal, cuda: &str) -> bool {
    puts_in_suffix(literal, cuda)
        && string_role(unit, &unit.module.use_of(literal.node))
            == StringRole::Known(ValueKind::Device)
}

/// Whether a call gets the text by itself.
fn is_whole_argument(of: &Use) -> bool {
    of.steps.is_empty() && matches!(of.consumer, Consumer::Argument { .. })
}

struct Device<'a> {
    literal: Literal,
    cuda: &'a str,
    musa: &'a str,
}

impl Device<'_> {
    /// Whether the key of an entry names a device with a number, too, so that the dictionary leads from device to device.
    fn is_key_of(&self, unit: &PythonUnit<'_>, pair: NodeId) -> bool {
        let tree = &unit.module.tree;
        let key = tree.child(pair, Field::Key);
        let mut parts = key
            .into_iter()
            .flat_map(|key| std::iter::once(key).chain(tree.below(key)));
        parts.any(|one| {
            let text = Literal::read(tree, one);
            text.is_some_and(|text| {
                text.value().len() > self.cuda.len() && names_device(&text, self.cuda)
            })
        })
    }

    fn translate(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let of = unit.module.use_of(self.literal.node);
        let range = unit.module.tree.range(self.literal.node);
        let shown = unit.shown(range);
        let numbered = self.literal.value().len() > self.cuda.len();
        if is_removed_twice(unit, &of, self.musa) {
            return out.keep(range, KeptReason::MusaBranch);
        }
        if is_word_of_option(unit, &of) {
            return out.keep(range, KeptReason::AtRunTime);
        }
        if is_written_by_test(unit, self.literal.node) {
            return out.keep(range, KeptReason::Prose);
        }
        if let Consumer::Annotation | Consumer::Item { .. } = of.consumer
            && let Some((StringRole::Known(kind), values)) = annotated(unit, self.literal.node)
        {
            match rivals_among(unit, values.into_iter()) {
                _ if kind != ValueKind::Device => out.keep(range, KeptReason::NotADevice),
                Alternatives::Musa => out.keep(range, KeptReason::MusaBranch),
                Alternatives::OtherVendors => self.one_of_several(unit, out, range),
                Alternatives::None if is_annotation_of_compared(unit, self.literal.node) => {
                    out.keep(range, KeptReason::MusaBranch);
                }
                Alternatives::None => self.device(unit, out, &of, range),
            }
            return;
        }
        match string_role(unit, &of) {
            // `"cuda:0"`: only a device has a number behind a colon. `Device("cuda:0")` may keep its name to show it, too.
            role @ (StringRole::Known(ValueKind::Other | ValueKind::Backend)
            | StringRole::Ambiguous)
                if numbered
                    && (role != StringRole::Ambiguous || is_whole_argument(&of))
                    && rivals_of_device(unit, &of) == Alternatives::None =>
            {
                self.device(unit, out, &of, range);
            }
            StringRole::Text => out.keep(range, KeptReason::Prose),
            // `accelerator_name = "cuda"`, where another branch assigns "xpu".
            StringRole::Known(ValueKind::Other)
                if matches!(of.consumer, Consumer::Target { .. })
                    && alternatives_to(unit, &of) == Alternatives::OtherVendors =>
            {
                self.one_of_several(unit, out, range);
            }
            StringRole::Known(ValueKind::Other | ValueKind::Backend) => {
                out.keep(range, KeptReason::NotADevice);
            }
            StringRole::Ambiguous => self.both(unit, out, &of, range),
            StringRole::Unknown => match of.consumer {
                _ if rivals_of_device(unit, &of) == Alternatives::None
                    && picked(unit, &of, self.literal.node) =>
                {
                    self.device(unit, out, &of, range);
                }
                // `"cuda:0"`: only a device has a number behind a colon.
                Consumer::Argument { .. }
                | Consumer::Target { .. }
                | Consumer::Return { .. }
                | Consumer::DictKey { .. }
                | Consumer::Item { .. }
                    if numbered && rivals_of_device(unit, &of) == Alternatives::None =>
                {
                    self.device(unit, out, &of, range);
                }
                // `params=["cpu", "cuda:0"]`, but `image="cuda:12"` is an image.
                Consumer::Keyword { .. }
                    if numbered
                        && of.items().next().is_some()
                        && rivals_of_device(unit, &of) == Alternatives::None =>
                {
                    self.device(unit, out, &of, range);
                }
                // `map_location={"cuda:0": "cuda:%d" % rank}`
                Consumer::DictValue { pair }
                    if numbered
                        && self.is_key_of(unit, pair)
                        && rivals_of_device(unit, &of) == Alternatives::None =>
                {
                    self.device(unit, out, &of, range);
                }
                // What a test expects is what it puts in, or what PyTorch makes of that.
                Consumer::Comparison { .. } | Consumer::Loop { .. }
                    if numbered
                        && Effort::builtin().is_auxiliary(unit.path)
                        && rivals_of_device(unit, &of) == Alternatives::None =>
                {
                    self.device(unit, out, &of, range);
                }
                Consumer::Loop { .. }
                    if numbered && takes_users_word(unit, &of, self.literal.node) =>
                {
                    self.device(unit, out, &of, range);
                }
                // A value of a dictionary that is used with texts and devices alone.
                _ if numbered
                    && keyed_dictionary(unit, &of)
                        .is_some_and(|table| inference::is_closed(unit, table)) =>
                {
                    self.device(unit, out, &of, range);
                }
                _ if alternatives_to(unit, &of) == Alternatives::Musa => {
                    out.keep(range, KeptReason::MusaBranch);
                }
                _ if alternatives_to(unit, &of) == Alternatives::OtherVendors => {
                    self.one_of_several(unit, out, range);
                }
                Consumer::Item { .. }
                    if alternatives_at_declaration(unit, &of) == Alternatives::OtherVendors =>
                {
                    self.one_of_several(unit, out, range);
                }
                Consumer::Item { of: table }
                | Consumer::Comparison {
                    other: table,
                    on_left: true,
                    ..
                } if inference::has_own_keys(unit, table) => {
                    out.keep(range, KeptReason::NotADevice);
                }
                _ if !numbered && is_subcommand(unit, self.literal.node, &of) => {
                    out.keep(range, KeptReason::NotADevice);
                }
                _ if own_devices::is_projects(unit, out, range, self.musa) => {}
                _ if !numbered && is_implementation(unit, &of) => {
                    out.keep(range, KeptReason::NotADevice);
                }
                _ => {
                    let message = format!(
                        "{shown} stays: whether it names a device is not clear from its context"
                    );
                    let help = format!("write `{}` where it is a device of PyTorch's", self.musa);
                    let finding = unit.finding(MAY_BE_DEVICE, range, message);
                    out.report(finding.help(help));
                }
            },
            StringRole::Known(ValueKind::Device)
                if !numbered && is_only_name_fragment(unit, &of) =>
            {
                out.keep(range, KeptReason::NotADevice);
            }
            StringRole::Known(ValueKind::Device)
                if is_guarded_case(unit, &of)
                    && alternatives_to(unit, &of) != Alternatives::Musa =>
            {
                self.one_of_several(unit, out, range);
            }
            // Where a dispatch key stands, the name of a device is that of its type: `impl("demo::scale", "cuda")`.
            StringRole::Known(ValueKind::Device | ValueKind::DispatchKey) => {
                match rivals_of_device(unit, &of).or(alternatives_at_declaration(unit, &of)) {
                    Alternatives::Musa => out.keep(range, KeptReason::MusaBranch),
                    Alternatives::OtherVendors => self.one_of_several(unit, out, range),
                    Alternatives::None => self.device(unit, out, &of, range),
                }
            }
        }
    }

    /// Report a device that the project offers next to other platforms, none of which is MUSA.
    fn one_of_several(&self, unit: &PythonUnit<'_>, out: &mut Outcome, range: TextRange) {
        let shown = unit.shown(range);
        let message =
            format!("{shown} stays: it is one of several platforms, and MUSA is none of them");
        let finding = unit.finding(ONE_OF_SEVERAL, range, message);
        let help = format!("add an entry for `{}` beside it", self.musa);
        out.report(finding.help(help));
    }

    /// Report a string whose value is used as a device and as something else.
    fn both(&self, unit: &PythonUnit<'_>, out: &mut Outcome, of: &Use, range: TextRange) {
        match alternatives_to(unit, of) {
            Alternatives::Musa => return out.keep(range, KeptReason::MusaBranch),
            Alternatives::OtherVendors => return self.one_of_several(unit, out, range),
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
    fn device(&self, unit: &PythonUnit<'_>, out: &mut Outcome, of: &Use, range: TextRange) {
        if own_devices::is_projects(unit, out, range, self.musa) {
            return;
        }
        if !unit.is_musa() {
            compare_with_both(unit, out, &self.literal, of, self.cuda, self.musa);
            return;
        }
        let Some(place) = self.place() else {
            let shown = unit.shown(range);
            let message = format!("{shown} names a device in a way that can't be changed in place");
            let finding = unit.finding(MAY_BE_DEVICE, range, message);
            out.report(finding.help(format!("write `{}`", self.musa)));
            return;
        };
        if takes_users_word(unit, of, self.literal.node)
            && let Some((range, to)) = with_both(unit, &self.literal, of, self.cuda, self.musa)
        {
            let literal = unit.module.tree.range(self.literal.node);
            out.keep(literal, KeptReason::BesideMusas);
            change(unit, out, range, &to, Applicability::Safe);
            return;
        }
        change(unit, out, place, self.musa, Applicability::Safe);
    }
}
