"use strict";
const shown = (grid) => [...grid.querySelectorAll(".span:not([hidden])")];
const level = (row) => Number(row.getAttribute("aria-level"));

function open(row, wanted) {
  if (row.hasAttribute("aria-expanded")) row.setAttribute("aria-expanded", wanted);
}

// A row is shown where all above it are open.
function refresh(grid) {
  let closed = Infinity;
  for (const row of grid.querySelectorAll(".span")) {
    row.hidden = level(row) > closed;
    if (row.hidden) row.nextElementSibling.hidden = true;
    else closed = row.getAttribute("aria-expanded") === "false" ? level(row) : Infinity;
  }
}

function tell(row) {
  row.nextElementSibling.hidden = !row.nextElementSibling.hidden;
}

function move(row) {
  if (!row) return;
  for (const other of row.parentElement.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
  row.tabIndex = 0;
  row.focus();
}

function above(rows, row) {
  return rows.slice(0, rows.indexOf(row)).reverse().find((other) => level(other) < level(row));
}

for (const grid of document.querySelectorAll("[role=treegrid]")) {
  grid.addEventListener("click", (event) => {
    const row = event.target.closest(".span");
    if (!row || event.target.closest("a")) return;
    if (event.target.closest(".twist") && row.hasAttribute("aria-expanded")) {
      open(row, row.getAttribute("aria-expanded") === "false");
      refresh(grid);
    } else tell(row);
    move(row);
  });
  grid.addEventListener("keydown", (event) => {
    const row = event.target;
    if (!row.matches(".span") || event.ctrlKey || event.altKey || event.metaKey) return;
    const rows = shown(grid), at = rows.indexOf(row), expanded = row.getAttribute("aria-expanded");
    const acts = {
      ArrowDown: () => move(rows[at + 1]),
      ArrowUp: () => move(rows[at - 1]),
      Home: () => move(rows[0]),
      End: () => move(rows[rows.length - 1]),
      ArrowRight: () => (expanded === "false" ? open(row, true) : expanded && move(rows[at + 1])),
      ArrowLeft: () => (expanded === "true" ? open(row, false) : move(above(rows, row))),
      Enter: () => tell(row),
      " ": () => tell(row),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
    refresh(grid);
  });
}

for (const button of document.querySelectorAll("button[data-all]"))
  button.addEventListener("click", () => {
    for (const grid of document.querySelectorAll("[role=treegrid]")) {
      for (const row of grid.querySelectorAll(".span")) open(row, button.dataset.all === "true");
      refresh(grid);
    }
  });
