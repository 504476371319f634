//! Questions of objects for their devices, where the objects have none for MUSA's: `t.is_cuda()` of a
//! `torch::stable::Tensor`.

use super::CppUnit;
use super::objects::object;
use super::rule_names::MEMBER;
use crate::{Change, Outcome};
use torchada_diagnostic::codes::cpp::DEVICE_TYPE_QUERY;
use torchada_mapping::Row;
use torchada_mapping::knowledge::DeviceQuestion;
use torchada_syntax::Token;
use torchada_text::TextRange;

/// The longest value of a variable that is followed, in tokens, and how many places of a name are looked at.
const LONGEST: usize = 200;

/// Ask for the type of the device, if the member at token `index` is such a question. Returns whether it is one.
pub(super) fn ask(
    unit: &CppUnit<'_>,
    out: &mut Outcome,
    (index, token): (usize, Token),
    row: &Row,
) -> bool {
    let questions = unit.context.knowledge.questions.iter();
    let mut questions = questions.filter(|one| one.member.as_bytes() == token.text(unit.text));
    let Some(question) = questions.find(|one| unit.visible.has_header(&one.headers)) else {
        return false;
    };
    let close = index + 2;
    let (Some(object), Some(last), b")") =
        (object(unit, index), unit.token(close), unit.word(close))
    else {
        return false;
    };
    let whole = TextRange::new(token.range().start, last.range().end);
    let asked = if is_device(unit, index, question) {
        question.to.clone()
    } else {
        format!("{}().{}", question.device, question.to)
    };
    let group = out.group();
    let mut edit = |range: TextRange, to: &str| {
        let change = Change::new(range, to).evidence(row.evidence);
        unit.apply(out, change.group(group).rule(MEMBER))
    };
    let done = if binds_looser(unit, object, close) {
        edit(whole, &asked)
    } else {
        let start = unit
            .token(object)
            .map_or(whole.start, |one| one.range().start);
        edit(TextRange::new(start, start), "(") && edit(whole, &format!("{asked})"))
    };
    if !done {
        out.edits.withdraw(group);
        return false;
    }
    let member = &question.member;
    let message = format!(
        "`{member}()` asks for the type of the device now: {}",
        question.why
    );
    let help = "build with a PyTorch that has it, or include the full headers";
    unit.report(out, DEVICE_TYPE_QUERY, whole, message, help);
    true
}

/// Whether the object is a device itself: `t.device().is_cuda()`, or a variable of that type.
fn is_device(unit: &CppUnit<'_>, member: usize, question: &DeviceQuestion) -> bool {
    let device = question.device.as_bytes();
    if unit.word_before(member, 2) == b")" {
        return unit.word_before(member, 3) == b"(" && unit.word_before(member, 4) == device;
    }
    let name = unit.word_before(member, 2);
    let mut places = unit.parsed.tokens.places(unit.text, name).take(LONGEST);
    places.any(|at| {
        // `const Device& a`, `auto a = t.device();`
        let back = usize::from(matches!(unit.word_before(at, 1), b"&" | b"*"));
        let of_class = unit.word_before(at, back + 1) == question.class.as_bytes();
        let end = || (at + 1..at + LONGEST).find(|&end| matches!(unit.word(end), b";" | b""));
        of_class
            || unit.word(at + 1) == b"="
                && end().is_some_and(|end| {
                    unit.word_before(end, 1) == b")" && unit.word_before(end, 3) == device
                })
    })
}

/// Whether everything around the question binds looser than a comparison does.
fn binds_looser(unit: &CppUnit<'_>, first: usize, last: usize) -> bool {
    let before = matches!(
        unit.word_before(first, 1),
        b"(" | b"," | b"=" | b"return" | b"&&" | b"||" | b"{" | b"}" | b";" | b"?" | b":" | b""
    );
    let after = matches!(
        unit.word(last + 1),
        b")" | b"," | b";" | b"&&" | b"||" | b"?" | b":" | b"}" | b""
    );
    before && after
}
