//! Options that make puts another one in front of, each.

use super::pass::ScriptPass;
use torchada_mapping::has;
use torchada_syntax::script::Statement;
use torchada_text::TextRange;

/// `$(addprefix -Xcompiler ,$(CFLAGS))`: mcc takes the options without what stands in front of each, so their list takes the
/// place of the call. Returns whether it does.
pub(super) fn without_prefix(pass: &mut ScriptPass<'_>, call: &Statement) -> bool {
    let view = pass.view;
    let text = view.unit.text;
    let (Some(last), Some(open)) = (call.words.last(), call.head.start.checked_sub(2)) else {
        return false;
    };
    let inside = TextRange::new(call.head.end, last.range.end.max(call.head.end));
    let comma = memchr::memchr(b',', inside.of(text)).map(|at| inside.start + at);
    let Some(comma) = comma.filter(|_| view.is(call.head, &view.knowledge.prefixers)) else {
        return false;
    };
    let prefix = text.get(inside.start..comma).unwrap_or_default();
    let for_the_host = &view.unit.context.knowledge.builds.flags.for_the_host;
    let prefix = prefix.trim_ascii();
    let prefix = prefix.strip_suffix(b"=").unwrap_or(prefix);
    let is_forwarded = has(for_the_host, prefix);
    let is_closed = matches!(text.get(inside.end), Some(b')' | b'}'));
    if !is_forwarded || !is_closed || text.get(open) != Some(&b'$') {
        return false;
    }
    let rest = text.get(comma + 1..inside.end).unwrap_or_default();
    let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
    let front = TextRange::new(open, comma + 1 + blanks.count());
    pass.findings.replace(front, "", None);
    pass.findings
        .replace(TextRange::new(inside.end, inside.end + 1), "", None);
    true
}
