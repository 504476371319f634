//! A string that is CUDA's word for a device, and what becomes of it, by what its value is used for.

use super::compared::{is_annotation_of_compared, is_asked_with_number};
use super::declared_alternatives::alternatives_at_declaration;
use super::expected_words::is_written_by_test;
use super::made_members::makes_kept_member;
use super::name_fragments::is_only_name_fragment;
use super::subcommands::is_subcommand;
use super::users_words::{is_word_of_option, takes_users_word};
use crate::python::PythonUnit;
use crate::python::inference::{
    self, StringRole, annotated, keyed_dictionary, names_device, picked, string_role,
};
use crate::python::reserved::alternatives::Alternatives;
use crate::python::reserved::alternatives_beside::{
    alternatives_to, among, rivals_among, rivals_of_device,
};
use crate::python::reserved::musa_counterparts::is_guarded_case;
use torchada_diagnostic::KeptReason;
use torchada_mapping::ValueKind;
use torchada_mapping::effort::Effort;
use torchada_syntax::python::{Consumer, Field, Literal, NodeId, Use};
use torchada_text::TextRange;

/// A string that is CUDA's word for a device.
pub(super) struct DeviceString<'a, 'u> {
    /// The module that the string stands in.
    pub(super) unit: &'a PythonUnit<'u>,
    /// The string.
    pub(super) literal: Literal,
    /// What takes the string's value.
    pub(super) of: Use,
    /// The string's place.
    pub(super) range: TextRange,
    /// CUDA's word.
    pub(super) cuda: &'a str,
    /// The word of MUSA's in its place.
    pub(super) musa: &'a str,
}

/// What becomes of such a string.
pub(super) enum Verdict {
    /// The string surely is a device.
    Device,
    /// The string stays, for a reason that is no fault.
    Kept(KeptReason),
    /// The project offers the device next to other platforms, none of which is MUSA.
    OneOfSeveral,
    /// The string's value is used as a device and as something else.
    Both,
    /// The context does not say whether the string is a device.
    Unclear,
}

/// The verdict on a device, by the platforms that are named beside it.
fn by_alternatives(alternatives: Alternatives) -> Verdict {
    match alternatives {
        Alternatives::Musa => Verdict::Kept(KeptReason::MusaBranch),
        Alternatives::OtherVendors => Verdict::OneOfSeveral,
        Alternatives::None => Verdict::Device,
    }
}

/// Whether a call gets the text by itself.
fn is_whole_argument(of: &Use) -> bool {
    of.steps.is_empty() && matches!(of.consumer, Consumer::Argument { .. })
}

impl DeviceString<'_, '_> {
    /// What becomes of the string.
    pub(super) fn verdict(&self) -> Verdict {
        let (unit, of) = (self.unit, &self.of);
        if is_word_of_option(unit, of) {
            return Verdict::Kept(KeptReason::AtRunTime);
        }
        if let Consumer::Argument {
            call,
            position: Some(0),
        } = of.consumer
            && makes_kept_member(unit, call, self.literal.value())
        {
            return Verdict::Kept(KeptReason::NotADevice);
        }
        if is_written_by_test(unit, self.literal.node) {
            return Verdict::Kept(KeptReason::Prose);
        }
        if let Consumer::Annotation | Consumer::Item { .. } = of.consumer
            && let Some((StringRole::Known(kind), values)) = annotated(unit, self.literal.node)
        {
            let rivals = rivals_among(unit, values.into_iter());
            return if kind == ValueKind::Device {
                self.of_annotation(rivals)
            } else {
                Verdict::Kept(KeptReason::NotADevice)
            };
        }
        match string_role(unit, of) {
            StringRole::Text => Verdict::Kept(KeptReason::Prose),
            StringRole::Known(ValueKind::Other | ValueKind::Backend) => self.of_other_value(),
            // `Device("cuda:0")` may keep its name to show it, too.
            StringRole::Ambiguous
                if self.is_numbered() && is_whole_argument(of) && self.is_alone() =>
            {
                Verdict::Device
            }
            StringRole::Ambiguous => Verdict::Both,
            StringRole::Unknown => self.of_unknown_role(),
            StringRole::Known(ValueKind::Device)
                if !self.is_numbered() && is_only_name_fragment(unit, of) =>
            {
                Verdict::Kept(KeptReason::NotADevice)
            }
            StringRole::Known(ValueKind::Device)
                if is_guarded_case(unit, of) && alternatives_to(unit, of) != Alternatives::Musa =>
            {
                Verdict::OneOfSeveral
            }
            // Where a dispatch key stands, the name of a device is that of its type: `impl("demo::scale", "cuda")`.
            StringRole::Known(ValueKind::Device | ValueKind::DispatchKey) => by_alternatives(
                rivals_of_device(unit, of).or(alternatives_at_declaration(unit, of)),
            ),
        }
    }

    /// Whether the string names a device by its number, too: `"cuda:0"`.
    pub(super) fn is_numbered(&self) -> bool {
        self.literal.value().len() > self.cuda.len()
    }

    /// Whether no other platform is named beside the string, where it is a device.
    fn is_alone(&self) -> bool {
        rivals_of_device(self.unit, &self.of) == Alternatives::None
    }

    /// A string in an annotation that allows devices: `device: Literal["cpu", "cuda"]`. `rivals` are among its other values.
    fn of_annotation(&self, rivals: Alternatives) -> Verdict {
        match by_alternatives(rivals) {
            Verdict::Device if is_annotation_of_compared(self.unit, self.literal.node) => {
                Verdict::Kept(KeptReason::MusaBranch)
            }
            verdict => verdict,
        }
    }

    /// A string whose value is known to be something else than a device. Only a device has a number behind a colon.
    fn of_other_value(&self) -> Verdict {
        if self.is_numbered() && self.is_alone() {
            return Verdict::Device;
        }
        // `accelerator_name = "cuda"`, where another branch assigns "xpu".
        if matches!(self.of.consumer, Consumer::Target { .. })
            && alternatives_to(self.unit, &self.of) == Alternatives::OtherVendors
        {
            return Verdict::OneOfSeveral;
        }
        Verdict::Kept(KeptReason::NotADevice)
    }

    /// A string of whose value the analysis knows nothing.
    fn of_unknown_role(&self) -> Verdict {
        let (unit, of, node) = (self.unit, &self.of, self.literal.node);
        if self.is_alone() && picked(unit, of, node)
            || self.is_numbered() && self.is_device_by_number()
            || is_asked_with_number(unit, of, self.cuda)
        {
            return Verdict::Device;
        }
        // `accelerator: Literal["cuda", "hip"]`
        let declared = annotated(unit, node).map(|(_, values)| among(unit, values.into_iter()));
        let alternatives = alternatives_to(unit, of).or(declared.unwrap_or(Alternatives::None));
        if alternatives != Alternatives::None {
            return by_alternatives(alternatives);
        }
        match of.consumer {
            Consumer::Item { .. }
                if alternatives_at_declaration(unit, of) == Alternatives::OtherVendors =>
            {
                Verdict::OneOfSeveral
            }
            Consumer::Item { of: table }
            | Consumer::Comparison {
                other: table,
                on_left: true,
                ..
            } if inference::has_own_keys(unit, table) => Verdict::Kept(KeptReason::NotADevice),
            _ if !self.is_numbered() && is_subcommand(unit, node, of) => {
                Verdict::Kept(KeptReason::NotADevice)
            }
            _ => Verdict::Unclear,
        }
    }

    /// Whether the number behind a colon is enough to take the string for a device.
    fn is_device_by_number(&self) -> bool {
        let (unit, of) = (self.unit, &self.of);
        let takes_devices = match of.consumer {
            Consumer::Argument { .. }
            | Consumer::Target { .. }
            | Consumer::Return { .. }
            | Consumer::DictKey { .. }
            | Consumer::Item { .. } => true,
            // `params=["cpu", "cuda:0"]`, but `image="cuda:12"` is an image.
            Consumer::Keyword { .. } => of.items().next().is_some(),
            // `map_location={"cuda:0": "cuda:%d" % rank}`
            Consumer::DictValue { pair } => self.is_key_of(pair),
            // What a test expects is what it puts in, or what PyTorch makes of that.
            Consumer::Comparison { .. } | Consumer::Loop { .. } => {
                Effort::builtin().is_auxiliary(unit.path)
            }
            _ => false,
        };
        takes_devices && self.is_alone()
            || matches!(of.consumer, Consumer::Loop { .. })
                && takes_users_word(unit, of, self.literal.node)
            // A value of a dictionary that is used with texts and devices alone.
            || keyed_dictionary(unit, of).is_some_and(|table| inference::is_closed(unit, table))
    }

    /// Whether the key of an entry names a device with a number, too, so that the dictionary leads from device to device.
    fn is_key_of(&self, pair: NodeId) -> bool {
        let tree = &self.unit.module.tree;
        let key = tree.child(pair, Field::Key);
        let mut parts = key.into_iter().flat_map(|key| tree.with_below(key));
        parts.any(|one| {
            let text = Literal::read(tree, one);
            text.is_some_and(|text| {
                text.value().len() > self.cuda.len() && names_device(&text, self.cuda)
            })
        })
    }
}
