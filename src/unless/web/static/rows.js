// Rows, a page at a time: all of them, those of a rule, of a cell of the confusion matrix, or those that flip.

import { studio } from "./api.js";
import { app } from "./app.js";
import { count, h, plural, show, valueText } from "./dom.js";
import { SPLITS } from "./scores.js";

const PAGE = 50;
const FILTERS = ["rule", "actual", "predicted", "flips"];

export async function rowsScreen(main, query) {
  const offset = Number(query.get("offset") ?? 0);
  const asked = new URLSearchParams({ limit: PAGE, offset, split: query.get("split") ?? "all" });
  for (const name of FILTERS) if (query.has(name)) asked.set(name, query.get(name));
  const [page, rules] = await Promise.all([studio.rows(asked), studio.rules(app.split)]);
  const names = [...page.used, ...page.columns.filter((name) => !page.used.includes(name) && name !== rules.target)];
  const shown = names.map((name) => page.columns.indexOf(name)).filter((index) => index >= 0);
  const last = Math.min(offset + PAGE, page.n_rows);
  show(main,
    h("h1", {}, "Rows"),
    h("div", { class: "bar" }, chips(query, rules), pager(page.n_rows, offset, last)),
    h("div", { class: "scroll", role: "region", "aria-label": "Rows", tabindex: "0" },
      h("table", { class: "rows" },
        h("caption", { class: "hidden" }, `${plural(page.n_rows, "row")}, those from ${offset + 1} to ${last} shown`),
        h("thead", {}, h("tr", {}, ["row", "predicted", "actual"].map((name) => h("th", { scope: "col" }, name)),
          shown.map((index) => h("th", { scope: "col", class: page.used.includes(page.columns[index]) ? null : "unused" },
            page.columns[index])))),
        h("tbody", {}, page.rows.map((row) => rowLine(row, shown, page, query))))),
    page.n_rows === 0 && h("p", { class: "note" }, "No row is like this."));
}

function rowLine(row, shown, page, query) {
  const here = new URLSearchParams(query);
  here.set("row", row.row);
  const wrong = row.actual !== null && row.actual !== row.predicted;
  const open = () => { location.hash = `rows?${here}`; };
  return h("tr", { "data-row": row.row, onclick: open },
    h("th", { scope: "row" }, h("a", { href: `#rows?${here}`, "aria-label": `Row ${row.row}: why ${row.predicted}` }, String(row.row))),
    h("td", { class: wrong ? "wrong" : null }, row.predicted),
    h("td", {}, row.actual ?? "–"),
    shown.map((index) => {
      const value = row.values[index];
      return h("td", { class: typeof value === "number" ? "number" : value === null ? "quiet" : null }, valueText(value));
    }));
}

function chips(query, rules) {
  const names = [...rules.labels, "another label"];
  const texts = { rule: (value) => (value === "else" ? "no rule holds" : `${ruleName(value)} holds`),
    actual: (value) => `is ${names[value]}`, predicted: (value) => `predicted ${rules.labels[value]}`, flips: () => "flips with the draft" };
  const split = query.get("split") ?? "all";
  const found = FILTERS.filter((name) => query.has(name)).map((name) => chip(texts[name](query.get(name)), { [name]: null }));
  return h("ul", { class: "chips", "aria-label": "Which rows" },
    split === "all" ? h("li", {}, "all rows") : chip(SPLITS[split], { split: null }), found);
}

function ruleName(number) {
  return number.includes(".") ? `exception ${number}` : `rule ${number}`;
}

function chip(text, changes) {
  return h("li", {}, text, h("button", { type: "button", "aria-label": `Do not ask for: ${text}`,
    onclick: () => app.alter({ ...changes, offset: null, row: null }) }, "×"));
}

function pager(nRows, offset, last) {
  const turn = (to) => app.alter({ offset: to, row: null });
  return h("div", { class: "pager" },
    h("span", {}, nRows ? `${count(offset + 1)}–${count(last)} of ${count(nRows)}` : "none"),
    h("button", { type: "button", disabled: offset === 0, "aria-label": "Earlier rows", onclick: () => turn(Math.max(0, offset - PAGE)) }, "‹"),
    h("button", { type: "button", disabled: last >= nRows, "aria-label": "Later rows", onclick: () => turn(offset + PAGE) }, "›"));
}
