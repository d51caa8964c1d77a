// Rows, a page at a time: searched, filtered by column, rule, predicted and actual label, sorted by a click on a column.

import { studio } from "./api.js";
import { app } from "./app.js";
import { count, h, later, percent, plural, problem, ruleName, show, valueText } from "./dom.js";
import { proposalForm } from "./rule_forms.js";
import { apply } from "./rules.js";
import { SPLITS } from "./scores.js";

const PAGE = 50;
const FILTERS = ["rule", "actual", "predicted", "flips", "wrong", "search", "column", "by"];
const OPS = { is: "is", has: "has in it", "=<": "at most", ">=": "at least", blank: "is blank" };

export async function rowsScreen(main, query) {
  const offset = Number(query.get("offset") ?? 0);
  const asked = new URLSearchParams({ limit: PAGE, offset, split: query.get("split") ?? "all" });
  for (const name of [...FILTERS, "op", "value", "sort", "segment"]) if (query.has(name)) asked.set(name, query.get(name));
  // What cannot be filtered by is said below the fields, which stay: a wrong value is mended there.
  const refused = (error) => ({ problem: error.message, columns: Object.keys(app.state.settings.kinds), n_rows: 0 });
  const [page, rules] = await Promise.all([studio.rows(asked).catch(refused), studio.rules(app.split)]);
  if (!app.shows("rows")) return;
  if (page.problem) {
    show(main, h("h1", {}, "Rows"), tools(query, page, rules), h("div", { class: "bar" }, chips(query, rules, page)), problem(page.problem));
    return;
  }
  const first = [...page.identifiers.slice(0, 1), ...page.used.filter((name) => name !== page.identifiers[0])];
  const names = [...first, ...page.columns.filter((name) => !first.includes(name) && name !== rules.target)];
  const shown = names.map((name) => page.columns.indexOf(name)).filter((index) => index >= 0);
  const last = Math.min(offset + PAGE, page.n_rows);
  const focused = document.activeElement?.id;
  show(main,
    h("h1", {}, "Rows"),
    rules.is_draft && h("p", { class: "note" }, "Predicted by the draft."),
    tools(query, page, rules),
    h("div", { class: "bar" }, chips(query, rules, page), pager(page.n_rows, offset, last)),
    proposing(asked, page, rules),
    h("div", { class: "scroll", role: "region", "aria-label": "Rows", tabindex: "0" },
      h("table", { class: "rows" },
        h("caption", { class: "hidden" }, `${plural(page.n_rows, "row")}, those from ${offset + 1} to ${last} shown`),
        h("thead", {}, h("tr", {}, ["row", "predicted", "actual", "rule"].map((name) => h("th", { scope: "col" }, name)),
          page.probable !== null && sortable("probability", `probability of ${page.probable.label ?? "what is predicted"}`, query, "number"),
          shown.map((index) => sortable(page.columns[index], page.columns[index], query, page.used.includes(page.columns[index]) ? null : "unused")))),
        h("tbody", {}, page.rows.map((row) => rowLine(row, shown, page, query))))),
    page.n_rows === 0 && h("p", { class: "note" }, "No row is like this. Take a filter away above."));
  if (focused === "search") {
    const field = main.querySelector("#search");
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  }
}

// An exception, or a rule, from the rows at hand that are predicted wrongly.
function proposing(asked, page, rules) {
  if (!page.n_wrong || asked.has("flips")) return null;
  const atHand = Object.fromEntries([...asked].filter(([name]) => !["limit", "offset", "sort", "split"].includes(name)));
  const holder = h("div", { class: "adding" });
  const close = () => { show(holder); button.focus(); };
  const used = async (edit, failed) => {
    let wrong = false;
    await apply(edit, (text) => { wrong = true; failed(text); });
    if (!wrong) app.go("rules");
  };
  const rows = page.n_wrong === page.n_rows ? `these ${plural(page.n_wrong, "wrong row")}` : `the ${plural(page.n_wrong, "wrong row")} among these`;
  const button = h("button", { type: "button", id: "propose-for-rows", onclick: () => show(holder, proposalForm(atHand, rules, used, close)) },
    `Propose how to mend ${rows}`);
  return [h("p", { class: "buttons" }, button), holder];
}

function tools(query, page, rules) {
  const search = h("input", { id: "search", type: "search", placeholder: "search all cells ( / )", "aria-label": "Search all cells", value: query.get("search") ?? "",
    oninput: later(300, () => app.alter({ search: search.value || null, offset: null, row: null })) });
  const column = h("select", { "aria-label": "Filter by column", id: "filter-column" }, h("option", { value: "" }, "column …"), page.columns.map((name) => h("option", { value: name, selected: name === query.get("column") }, name)));
  const op = h("select", { "aria-label": "How", id: "filter-op" }, Object.entries(OPS).map(([value, text]) => h("option", { value, selected: value === query.get("op") }, text)));
  const value = h("input", { "aria-label": "Value", id: "filter-value", value: query.get("value") ?? "", size: "10" });
  const go = (event) => {
    event.preventDefault();
    if (column.value) app.alter({ column: column.value, op: op.value, value: value.value, offset: null, row: null });
  };
  const label = (name, labels) => h("select", { "aria-label": name, onchange: (event) => app.alter({ [name]: event.target.value === "" ? null : event.target.value, offset: null, row: null }) },
    h("option", { value: "" }, `${name} …`), labels.map((text, i) => h("option", { value: String(i), selected: String(i) === query.get(name) }, `${name} ${text}`)));
  const numbers = rules.lines.filter((line) => line.number).map((line) => line.number);
  const split = query.get("split") ?? "all";
  const apart = rules.splits.some((part) => part.split === "held_out") && h("select", { "aria-label": "Which rows",
    onchange: (event) => app.alter({ split: event.target.value === "all" ? null : event.target.value, offset: null, row: null }) },
  Object.entries(SPLITS).map(([value, text]) => h("option", { value, selected: value === split }, text)));
  return h("form", { class: "tools-of-rows", onsubmit: go }, search, apart,
    label("predicted", rules.labels), label("actual", rules.labels),
    h("select", { "aria-label": "rule", onchange: (event) => app.alter({ rule: event.target.value || null, offset: null, row: null }) }, h("option", { value: "" }, "rule …"),
      numbers.map((number) => h("option", { value: number, selected: number === query.get("rule") }, number === "else" ? "no rule" : ruleName(number)))),
    h("label", {}, h("input", { type: "checkbox", checked: query.get("wrong") === "true", onchange: (event) => app.alter({ wrong: event.target.checked ? "true" : null, offset: null, row: null }) }), "only wrong"),
    h("span", { class: "filter" }, column, op, value, h("button", { type: "submit" }, "Filter")));
}

function sortable(name, text, query, tone) {
  const sort = query.get("sort") ?? "";
  const state = sort === name ? "ascending" : sort === `-${name}` ? "descending" : null;
  const next = sort === name ? `-${name}` : sort === `-${name}` ? null : name;
  return h("th", { scope: "col", class: tone, "aria-sort": state }, h("button", { type: "button", class: "sort", title: "Sort", onclick: () => app.alter({ sort: next, offset: null }) },
    text, state === "ascending" ? " ▲" : state === "descending" ? " ▼" : ""));
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
    h("td", { class: "quiet" }, row.rule || "–"),
    page.probable !== null && h("td", { class: "number" }, percent(row.probability)),
    shown.map((index) => {
      const value = row.values[index];
      const tones = [value === null && "quiet", page.numbers.includes(page.columns[index]) && "number"].filter(Boolean);
      return h("td", { class: tones.join(" ") || null }, valueText(value));
    }));
}

function chips(query, rules, page) {
  const names = [...rules.labels, "another label"];
  const texts = { rule: (value) => (value === "else" ? "no rule holds" : `${ruleName(value)} holds`),
    actual: (value) => `is ${names[value]}`, predicted: (value) => `predicted ${rules.labels[value]}`, flips: () => "flips with the draft",
    wrong: () => "predicted wrongly", search: (value) => `has “${value}”`,
    by: (value) => `${value}: ${page.segment}`, column: (value) => `${value} ${OPS[query.get("op") ?? "is"]} ${query.get("op") === "blank" ? "" : query.get("value")}` };
  const split = query.get("split") ?? "all";
  const found = FILTERS.filter((name) => query.has(name)).map((name) =>
    chip(texts[name](query.get(name)), name === "column" ? { column: null, op: null, value: null } : name === "by" ? { by: null, segment: null } : { [name]: null }));
  return h("ul", { class: "chips", "aria-label": "Which rows" },
    split === "all" ? h("li", {}, "all rows") : chip(SPLITS[split], { split: null }), found);
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
