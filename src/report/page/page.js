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

  // The links of a long table are one stop of the tab key, and the arrows go from row to row.
  for (const table of document.querySelectorAll(".tall table")) {
    const links = () => [...table.querySelectorAll("tbody a")];
    const stop = (wanted) => {
      for (const link of links()) link.tabIndex = link === wanted ? 0 : -1;
    };
    stop(links()[0]);
    table.addEventListener("focusin", (event) => {
      if (event.target.matches("tbody a")) stop(event.target);
    });
    table.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const all = links();
      const at = all.indexOf(document.activeElement);
      if (!by || at < 0) return;
      event.preventDefault();
      all[Math.min(Math.max(at + by, 0), all.length - 1)].focus();
    });
  }

  const table = document.getElementById("table");
  if (!table) return;
  const search = document.getElementById("q");
  const boxes = [...document.querySelectorAll(".tools input[type=checkbox]")];
  const more = document.getElementById("more");
  const shown = document.getElementById("shown");
  // A phone shows fewer at once: each row takes several lines there.
  const step = Number(table.dataset.atOnce) / (innerWidth < 640 ? 4 : 1);
  const texts = new Map(rows(table).map((row) => [row, null]));
  const text = (row) => {
    if (texts.get(row) === null) texts.set(row, row.textContent.toLowerCase());
    return texts.get(row);
  };
  let limit = step;

  // `in:core/` finds what is below a folder, `in:core/*` what lies right in it, `in:core/k.cu` a file.
  const pathOf = (row) => row.cells[1].firstChild.textContent;
  const written = (path) => path.replace(/\s/g, encodeURIComponent);
  const lies = (path, place) => {
    if (!place.endsWith("*")) return path === place || path.startsWith(place.endsWith("/") ? place : place + "/");
    const folder = place.slice(0, -1);
    return path.startsWith(folder) && !path.slice(folder.length).includes("/");
  };
  const matching = (row) => (word) => {
    if (word === "is:new") return "new" in row.dataset;
    if (word.startsWith("cause:")) return row.dataset.c.split(" ").includes(word.slice(6));
    if (word.startsWith("in:")) return lies(written(pathOf(row)), word.slice(3));
    return text(row).includes(word.toLowerCase());
  };

  // Only so many rows are laid out at once: a big project has thousands.
  const show = () => {
    const words = search.value.split(/\s+/).filter(Boolean);
    const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const matches = (row) =>
      wanted.has(row.dataset.v) && words.every(matching(row));
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
  // What is searched for stands in the address, so that it can be handed on.
  const again = () => {
    limit = step;
    show();
    const wanted = boxes.filter((box) => box.checked).map((box) => box.value);
    const parts = [];
    if (search.value) parts.push(`q=${encodeURIComponent(search.value)}`);
    if (wanted.length < boxes.length) parts.push(`show=${wanted.join("+")}`);
    history.replaceState(null, "", `#${parts.join("&") || "findings"}`);
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
      search.value = link.dataset.q ?? `in:${written(link.dataset.in)}`;
      again();
      document.getElementById("findings").scrollIntoView();
      search.focus({ preventScroll: true });
    });
  }
  for (const part of location.hash.slice(1).split("&")) {
    const at = part.indexOf("=");
    const [name, value] = [part.slice(0, at), part.slice(at + 1)];
    try {
      if (name === "q") search.value = decodeURIComponent(value);
      else if (name === "show") for (const box of boxes) box.checked = value.split("+").includes(box.value);
      else continue;
      table.scrollIntoView();
    } catch {
      // An address that somebody cut is none.
    }
  }
  show();
})();
