//! Calls that end in operators of `PyTorch`'s which `torch_musa` has no kernel of, or has on the CPU alone.

use super::operator_keywords::is_true;
use crate::Outcome;
use crate::python::inference::is_torchs;
use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::codes::python::{NO_KERNEL, ON_HOST};
use torchada_diagnostic::{Code, Severity};
use torchada_mapping::kernels::{NAMESPACE, Support};
use torchada_mapping::operators::Operators as Table;
use torchada_mapping::{CallFault, OperatorCalls, has};
use torchada_syntax::python::{BoundValue, Kind, Literal, NodeId};
use torchada_text::last_part;

/// How many values are looked at to follow one to where it was made.
const STEPS: usize = 64;

/// Calls of `PyTorch`'s functions whose operators are missing.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let calls = unit.context.tables.operator_calls();
    if !OperatorCalls::names_root(unit.text) {
        return;
    }
    let tree = &unit.module.tree;
    for call in tree.of(Kind::Call) {
        let Some(callee) = tree.callee(call) else {
            continue;
        };
        if tree.is_broken(call) || !may_be_one(unit, call, callee) {
            continue;
        }
        let fault = function(unit, callee).and_then(|name| calls.of(&name));
        let Some(fault) = fault else { continue };
        if has_keyword(unit, call, fault) && !is_on_host(unit, call) {
            report(unit, out, callee, fault);
            report_cudas_keyword(unit, out, call, fault);
            // A name of CUDA's in the operator's says nothing more: `torch.cudnn_convolution`.
            if fault.support.lacks() {
                unit.claim(out, callee);
            }
        }
    }
}

/// Whether the name of a function is that of one with a fault, or that of an import may stand for one.
fn may_be_one(view: &ModuleView<'_>, call: NodeId, callee: NodeId) -> bool {
    let calls = view.context.tables.operator_calls();
    let word = view.module.callee_word(call);
    calls.has_word(&String::from_utf8_lossy(word))
        || view.module.tree.kind(callee) == Kind::Identifier && {
            let (_, bindings) = view.module.bindings(callee, word);
            bindings.iter().any(|one| match &one.what {
                BoundValue::Import(path) => calls.has_word(last_part(path)),
                _ => false,
            })
        }
}

/// The dotted name of the function of `PyTorch`'s that is called; `None` where that is not certain.
fn function(view: &ModuleView<'_>, callee: NodeId) -> Option<String> {
    let tree = &view.module.tree;
    if let Some(found) = view.resolve(callee) {
        return found.is_sure().then_some(found.name);
    }
    let (object, name) = tree.object_and_name(callee)?;
    let word = String::from_utf8_lossy(tree.word(name));
    let is_method = view.modules.methods(&word).is_empty() && is_torchs(view, object);
    is_method.then(|| format!("torch.Tensor.{word}"))
}

/// Whether the keyword is true on which the operator depends.
fn has_keyword(view: &ModuleView<'_>, call: NodeId, fault: &CallFault) -> bool {
    let keyword = fault.keyword.as_deref();
    keyword.is_none_or(|keyword| is_true(view, call, keyword))
}

/// Whether a call surely computes on the CPU: on a tensor that was copied there, or was made there.
fn is_on_host(view: &ModuleView<'_>, call: NodeId) -> bool {
    let tree = &view.module.tree;
    let object = tree.receiver(call);
    let first = tree.argument(call, 0);
    let mut origin = Origin {
        view,
        names: Vec::new(),
        steps: STEPS,
    };
    let mut is_one = |one: Option<NodeId>| one.is_some_and(|one| origin.is_host(one));
    is_one(object) || is_one(first) || device(view, call) == Some(true)
}

/// Follows a value to where it was made.
struct Origin<'r, 'v> {
    view: &'r ModuleView<'v>,
    /// Names that are being followed: `x = x.float()` makes no other tensor of `x`.
    names: Vec<&'v [u8]>,
    /// How many more values are looked at.
    steps: usize,
}

impl Origin<'_, '_> {
    /// Whether a value surely is a tensor on the host.
    fn is_host(&mut self, value: NodeId) -> bool {
        let Some(steps) = self.steps.checked_sub(1) else {
            return false;
        };
        self.steps = steps;
        let (module, tree) = (self.view.module, &self.view.module.tree);
        let inner = |at| tree.nth(value, at);
        match tree.kind(value) {
            Kind::Call => self.is_made_on_host(value),
            Kind::Identifier => {
                let name = tree.word(value);
                if self.names.contains(&name) {
                    return true;
                }
                self.names.push(name);
                let (_, bindings) = module.bindings(value, name);
                let on_host = !bindings.is_empty()
                    && bindings
                        .iter()
                        .all(|one| one.value().is_some_and(|made| self.is_host(made)));
                self.names.pop();
                on_host
            }
            Kind::Parenthesized | Kind::Subscript => inner(0).is_some_and(|one| self.is_host(one)),
            Kind::Binary => [0, 1]
                .into_iter()
                .any(|at| inner(at).is_some_and(|one| self.is_host(one))),
            _ => false,
        }
    }

    fn is_made_on_host(&mut self, call: NodeId) -> bool {
        let tree = &self.view.module.tree;
        let table = &Table::builtin().table;
        let word = self.view.module.callee_word(call);
        if has(&table.host_methods, word) {
            return true;
        }
        if let Some(on_host) = device(self.view, call) {
            return on_host;
        }
        let name = self.view.callee_name(call);
        if name.is_some_and(|name| has(&table.host_factories, &name.name)) {
            return true;
        }
        // A method that moves nothing: `x.cpu().float()`.
        let object = tree.receiver(call);
        !has(&table.moves, word) && object.is_some_and(|object| self.is_host(object))
    }
}

/// Whether the device that a call names is the host; `None` where it names none.
fn device(view: &ModuleView<'_>, call: NodeId) -> Option<bool> {
    let tree = &view.module.tree;
    let table = &Table::builtin().table;
    let moved = has(&table.moves, view.module.callee_word(call));
    let first = || tree.argument(call, 0).filter(|_| moved);
    let named = view.module.tree.keyword(call, b"device").or_else(first)?;
    let literal = Literal::plain(tree, named);
    let is_host = |text: &[u8]| has(&table.host_devices, text);
    Some(literal.is_some_and(|literal| is_host(literal.value())))
}

/// Report a keyword that `PyTorch` takes for CUDA's tensors alone, where the call is computed on the CPU.
fn report_cudas_keyword(unit: &PythonUnit<'_>, out: &mut Outcome, call: NodeId, fault: &CallFault) {
    let tree = &unit.module.tree;
    let mut rows = Table::builtin().table.cuda_keywords.iter();
    let found = rows.find_map(|row| {
        let is_one = *row.operator == *fault.operator && fault.support == Support::Host;
        let value = tree
            .keyword(call, row.keyword.as_bytes())
            .filter(|_| is_one)?;
        (tree.kind(value) != Kind::None).then_some((row, value))
    });
    if let Some((row, value)) = found {
        let code = Code {
            severity: Severity::Warning,
            ..ON_HOST
        };
        let message = format!(
            "`{}=` is refused where `{NAMESPACE}{}` is computed on the CPU, as torch_musa does",
            row.keyword, row.operator
        );
        unit.report(out, code, tree.range(value), message, row.advice.clone());
    }
}

fn report(unit: &PythonUnit<'_>, out: &mut Outcome, callee: NodeId, fault: &CallFault) {
    let code = match fault.support {
        Support::Host => ON_HOST,
        _ => NO_KERNEL,
    };
    let message = fault.message(&unit.context.tables.kernels());
    let range = unit.module.tree.range(callee);
    unit.report(out, code, range, message, fault.advice());
}
