//! A source file kernel by kernel, so that those can be left out which a tool refuses.

use std::collections::BTreeMap;

/// A file of C++ or PTX.
pub(super) struct Kernels {
    /// What stands outside of kernels.
    head: String,
    /// The kernels, each with its name.
    kernels: Vec<(String, String)>,
}

impl Kernels {
    /// Take a file apart. The first line of a kernel begins with `start` and the kernel's name, and its last is `}`.
    pub(super) fn read(text: &str, start: &str) -> Self {
        let mut head = String::new();
        let mut kernels: Vec<(String, String)> = Vec::new();
        let mut is_inside = false;
        let mut is_assembly = false;
        for line in text.split_inclusive('\n') {
            if let Some(rest) = line.strip_prefix(start) {
                let name = rest.split('(').next().unwrap_or_default();
                kernels.push((name.trim().to_owned(), String::new()));
                is_inside = true;
            }
            match kernels.last_mut().filter(|_| is_inside) {
                Some((_, kernel)) => kernel.push_str(line),
                None => head.push_str(line),
            }
            // Assembly of a header may have brackets on lines of their own.
            is_assembly = match line.trim() {
                "// begin inline asm" => true,
                "// end inline asm" => false,
                _ => is_assembly,
            };
            is_inside &= is_assembly || line.trim_end() != "}";
        }
        Self { head, kernels }
    }

    /// The kernels, each with its name.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let kernels = self.kernels.iter();
        kernels.map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Whether no kernel is left.
    pub(super) fn is_empty(&self) -> bool {
        self.kernels.is_empty()
    }

    /// Keep the kernels of these names.
    pub(super) fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.kernels.retain(|(name, _)| is_kept(name));
    }

    /// The file.
    pub(super) fn text(&self) -> String {
        let kernels = self.kernels.iter().map(|(_, text)| text.as_str());
        std::iter::once(self.head.as_str()).chain(kernels).collect()
    }

    /// Leave out the kernels in which a tool found errors, each on a line of the file and with a message. Returns the first
    /// message about each.
    pub(super) fn leave_out<'e>(
        &mut self,
        errors: impl Iterator<Item = (usize, &'e str)>,
    ) -> BTreeMap<String, String> {
        let mut refused = BTreeMap::new();
        for (line, message) in errors {
            if let Some(name) = self.kernel_at(line) {
                let name = name.to_owned();
                refused.entry(name).or_insert_with(|| message.to_owned());
            }
        }
        self.retain(|name| !refused.contains_key(name));
        refused
    }

    /// The kernel on a line of the file, counted from one.
    fn kernel_at(&self, line: usize) -> Option<&str> {
        let mut end = self.head.lines().count();
        if line <= end {
            return None;
        }
        let kernel = self.kernels.iter().find(|(_, text)| {
            end += text.lines().count();
            line <= end
        });
        kernel.map(|(name, _)| name.as_str())
    }
}
