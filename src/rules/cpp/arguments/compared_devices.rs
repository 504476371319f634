//! Texts that are compared with the name of a device of `PyTorch`'s: `device == "cuda"`.

use crate::Outcome;
use crate::cpp::CppUnit;
use crate::cpp::verdict::keep_if;
use torchada_diagnostic::codes::cpp::COMPARED_DEVICE;

/// Report comparisons with the name of a device, where `PyTorch`'s headers are included: elsewhere a text is the project's own.
pub(super) fn check(unit: &CppUnit<'_>, out: &mut Outcome) {
    let devices = &unit.context.knowledge.devices;
    for (index, token, range) in unit.strings() {
        if out.is_claimed(token) {
            continue;
        }
        let name = range.of(unit.text);
        let Some(device) = devices.iter().find(|one| one.cuda.as_bytes() == name) else {
            continue;
        };
        let compares = |word: &[u8]| matches!(word, b"==" | b"!=");
        if !compares(unit.word_before(index, 1)) && !compares(unit.word(index + 1))
            || !unit.visible.has_header(&device.headers)
            || keep_if(unit, out, range, unit.foreign(range))
        {
            continue;
        }
        let (cuda, to) = (&device.cuda, &device.to);
        let message = format!(
            "\"{cuda}\" stays, and is compared with a text that may name a device, which is \"{to}\" on MUSA"
        );
        let help = format!(
            "where the text comes from Python, or from a device of PyTorch's, write \"{to}\" here; where only the project's own code gives it, leave it"
        );
        unit.report(out, COMPARED_DEVICE, range, message, help);
    }
}
