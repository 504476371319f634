//! Products of NVIDIA's in strings: `"H100" in name`.

use super::review::Review;
use super::wording::short;
use torchada_diagnostic::Finding;
use torchada_diagnostic::codes::python::PRODUCT;
use torchada_mapping::python::gpus::GpuValueKind;
use torchada_mapping::{contains_one, has};
use torchada_syntax::python::{Consumer, Kind, Literal, NodeId, Use};

/// The finding about a product.
pub(super) fn product_in(
    review: &Review<'_>,
    node: NodeId,
    of: &Use,
    written: &str,
) -> Option<Finding> {
    let unit = review.unit;
    let products = &review.gpus.products;
    let with_gpu_name = is_compared_with_gpu_name(review, of);
    // `"h100" in name.lower()`: a text that is compared with a GPU's name can only be a product.
    let text = if with_gpu_name {
        &written.to_ascii_uppercase()
    } else {
        written
    };
    let names_one_of = |names: &[String]| {
        text.split(|one: char| !one.is_ascii_alphanumeric())
            .any(|word| {
                let known = |name: &String| {
                    name == word
                        || joined(name, word)
                        || with_gpu_name && name.eq_ignore_ascii_case(word)
                };
                names.iter().any(known)
            })
    };
    // `"100" in name`, which means an A100 and an H100
    let is_part = || {
        let mut names = products.strong.iter().chain(&products.weak);
        with_gpu_name && is_number(written) && names.any(|name| name.ends_with(written))
    };
    let strong = names_one_of(&products.strong)
        && !is_prose(written)
        && (with_gpu_name || !is_sentence(written));
    let weak = || with_gpu_name && names_one_of(&products.weak);
    // `"-DFOR_L20" if "L20" in name else ""`: an option that the name of the GPU chooses is none.
    let is_option = written.starts_with('-');
    let is_notice = contains_one(written, &products.notices);
    if is_option || is_notice || !with_gpu_name && names_vendor_alone(review, written) {
        return None;
    }
    if !strong && !weak() && !is_part() {
        return None;
    }
    if !with_gpu_name && (!may_name_product(review, of) || is_alone_in_crowd(review, of)) {
        return None;
    }
    let range = unit.module.tree.range(node);
    let shown = short(written);
    let (message, help) = if is_number(written) {
        let message = format!("`{shown}` is a number in the names of NVIDIA's products");
        (message, &products.advice)
    } else if written == products.vendor && !with_gpu_name {
        let message = format!("`{shown}` tells whose GPUs are meant, and MUSA's are another's");
        (message, &products.vendor_advice)
    } else {
        let message = format!("`{shown}` is the name of an NVIDIA product");
        (message, &products.advice)
    };
    let finding = unit.finding(PRODUCT, range, message);
    Some(finding.help(help.clone()))
}

/// Whether code compares a value, looks it up or has it in a list, as it does with the name of a product.
fn may_name_product(review: &Review<'_>, of: &Use) -> bool {
    match of.consumer {
        Consumer::Comparison { .. }
        | Consumer::Pattern { .. }
        | Consumer::DictKey { .. }
        | Consumer::Item { .. } => true,
        Consumer::Target { .. } | Consumer::Loop { .. } => of.items().next().is_some(),
        Consumer::Argument { call, .. } => {
            let methods = &review.gpus.products.methods;
            has(methods, review.unit.module.callee_word(call))
        }
        _ => false,
    }
}

/// Whether a text is a number, as the names of products have.
pub(super) fn is_number(text: &str) -> bool {
    (2..=4).contains(&text.len()) && text.bytes().all(|one| one.is_ascii_digit())
}

/// Whether a text of several words names the vendor, and no product beside it: `NVIDIA Corporation`, `NVIDIA Topology`.
fn names_vendor_alone(review: &Review<'_>, text: &str) -> bool {
    let products = &review.gpus.products;
    let words = || text.split(|one: char| !one.is_ascii_alphanumeric());
    let is_product = |word: &str| {
        let mut known = products.strong.iter().chain(&products.weak);
        word.bytes().any(|one| one.is_ascii_digit()) || known.any(|name| name == word)
    };
    text.contains(char::is_whitespace)
        && words().any(|word| word == products.vendor)
        && !words().any(|word| word != products.vendor && is_product(word))
}

/// Whether a text stands in a long list none of whose others names a product: `Model B200` among aircraft.
fn is_alone_in_crowd(review: &Review<'_>, of: &Use) -> bool {
    let products = &review.gpus.products;
    let near = review.unit.module.sibling_literals(of);
    let names_product = |one: &Literal| {
        let text = one.text().into_owned();
        let mut words = text.split(|one: char| !one.is_ascii_alphanumeric());
        words.any(|word| {
            let mut known = products.strong.iter().chain(&products.weak);
            known.any(|name| name == word || joined(name, word))
        })
    };
    near.len() >= products.crowd && near.iter().filter(|one| names_product(one)).count() < 2
}

/// Whether a text is a sentence, an address, a heading or the name of an environment variable or of a file: all of them may
/// have the name of a product in them.
fn is_prose(text: &str) -> bool {
    let variable = text
        .bytes()
        .all(|one| one.is_ascii_uppercase() || one.is_ascii_digit() || one == b'_');
    // Pages and projects of the company have its name in their addresses.
    let address = text.contains(['/', '@']);
    let heading = text.ends_with(':');
    // `Llama3_A100.ipynb`
    let is_ending =
        |one: &str| (2..=5).contains(&one.len()) && one.bytes().all(|one| one.is_ascii_lowercase());
    let file = text
        .rsplit_once('.')
        .is_some_and(|(_, ending)| is_ending(ending));
    file || text.split_whitespace().count() > 4
        || variable && text.contains('_')
        || address
        || heading
}

/// Whether a text has words in small letters, and so is a sentence about a company: `Found no NVIDIA driver`. The names
/// of models have capitals and numbers.
fn is_sentence(text: &str) -> bool {
    let is_small = |word: &&str| word.bytes().all(|one| one.is_ascii_lowercase());
    text.split_whitespace().filter(is_small).count() > 1
}

/// Whether a word is a name of three capitals and a number: `RTX4090` is `RTX` and a number.
fn joined(name: &str, word: &str) -> bool {
    word.strip_prefix(name).is_some_and(|rest| {
        name.bytes().all(|one| one.is_ascii_uppercase())
            && name.len() == 3
            && rest.bytes().all(|one| one.is_ascii_digit())
    })
}

/// Whether a text is compared with the name of a GPU, or passed to a call together with one.
fn is_compared_with_gpu_name(review: &Review<'_>, of: &Use) -> bool {
    let tree = &review.unit.module.tree;
    let is_name = |node: NodeId| {
        let value = review.of(node);
        value.is_some_and(|value| value.gives == GpuValueKind::Name)
    };
    match of.consumer {
        Consumer::Argument { call, .. } => {
            let mut parts = tree.below(call).take(32);
            parts.any(|one| {
                matches!(
                    tree.kind(one),
                    Kind::Identifier | Kind::Call | Kind::Attribute
                ) && is_name(one)
            })
        }
        _ => of.compared_with().is_some_and(is_name),
    }
}
