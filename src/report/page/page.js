"use strict";
(() => {
  const rows = (table) => [...table.tBodies[0].rows];
  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.s ?? cell.textContent.trim();
  };
  const collator = new Intl.Collator("en", { numeric: true });

  // Heads of tables are buttons that sort: a number's column the greatest first.
  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const first = head.classList.contains("num") ? "descending" : "ascending";
        const other = first === "ascending" ? "descending" : "ascending";
        const order = head.getAttribute("aria-sort") === first ? other : first;
        for (const one of table.tHead.rows[0].cells) one.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", order);
        const sign = order === "ascending" ? 1 : -1;
        const sorted = rows(table)
          .map((row) => [value(row, column), row])
          .sort((a, b) => sign * collator.compare(a[0], b[0]));
        table.tBodies[0].append(...sorted.map((pair) => pair[1]));
        if (table.id === "table") show();
      });
    });
  }

  const table = document.getElementById("table");
  if (!table) return;
  const search = document.getElementById("q");
  const boxes = [...document.querySelectorAll(".tools input[type=checkbox]")];
  const more = document.getElementById("more");
  const shown = document.getElementById("shown");
  const step = Number(table.dataset.atOnce);
  const texts = new Map(rows(table).map((row) => [row, null]));
  const text = (row) => {
    if (texts.get(row) === null) texts.set(row, row.textContent.toLowerCase());
    return texts.get(row);
  };
  let limit = step;

  // Only so many rows are laid out at once: a big project has thousands.
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const matches = (row) =>
      wanted.has(row.dataset.v) &&
      words.every((word) => (word === "is:new" ? "new" in row.dataset : text(row).includes(word)));
    let found = 0;
    let all = 0;
    for (const row of rows(table)) {
      const match = matches(row);
      if (match) {
        found += 1;
        all += Number(row.dataset.n);
      }
      row.classList.toggle("more", !match || found > limit);
    }
    const rest = Math.max(0, found - limit);
    more.hidden = rest === 0;
    more.textContent = `Show ${Math.min(rest, step)} more of ${rest}`;
    const places = all === 1 ? "1 finding" : `${all} findings`;
    shown.textContent = found === all ? places : `${places} in ${found} row${found === 1 ? "" : "s"}`;
  };
  const again = () => {
    limit = step;
    show();
  };
  let wait = 0;
  search.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(again, 80);
  });
  for (const box of boxes) box.addEventListener("change", again);
  more.addEventListener("click", () => {
    limit += step;
    show();
  });
  for (const link of document.querySelectorAll("a.filter")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      search.value = link.dataset.q;
      again();
      document.getElementById("findings").scrollIntoView();
      search.focus({ preventScroll: true });
    });
  }
  show();
})();
