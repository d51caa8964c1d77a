// The program: each rule in words, its conditions as buttons that open their forms, exceptions under what they except.

import { studio } from "./api.js";
import { app } from "./app.js";
import { conditionForm } from "./condition_form.js";
import { act } from "./draft_bar.js";
import { count, h, percent, plural, problem, show } from "./dom.js";
import { effectPanel } from "./effect.js";
import { exceptionForm, proposalForm, ruleForm } from "./rule_forms.js";
import { scores, splitChoice } from "./scores.js";

const LOGIC = "unless-studio-logic";

export async function rulesScreen(main) {
  const rules = await studio.rules(app.split);
  if (!app.shows("rules")) return;
  app.split = rules.split;
  const first = Math.max(1, rules.lines.findIndex((line) => line.kind !== "text"));
  const opening = rules.lines.slice(0, first).map((line) => line.english).join(" ");
  const lines = rules.lines.slice(first);
  const n = (kind) => lines.filter((line) => line.kind === kind).length;
  const logic = localStorage.getItem(LOGIC) === "shown";
  const program = h("div", { class: logic ? "program with-logic" : "program", role: "list", "aria-label": "Rules" },
    lines.map((line) => ruleLine(line, rules)));
  const toggle = h("label", { class: "one" }, h("input", { type: "checkbox", checked: logic, onchange: (event) => {
    localStorage.setItem(LOGIC, event.target.checked ? "shown" : "");
    program.classList.toggle("with-logic", event.target.checked);
  } }), "logic text");
  const adding = h("div", { class: "adding" });
  const addRule = rules.covered_rows !== null && h("button", { type: "button", id: "add-rule", onclick: () => open(adding, ruleForm(rules, apply, () => close(adding, addRule))) }, "Add a rule");
  const propose = rules.covered_rows !== null && h("button", { type: "button", id: "propose-rule",
    onclick: () => open(adding, proposalForm({ rule: "else" }, rules, apply, () => close(adding, propose))) }, "Propose a rule for rows that no rule covers");
  const changes = rules.is_draft && h("details", { class: "card effect-of" }, h("summary", {}, "What the draft changes, and for whom"));
  if (changes) changes.addEventListener("toggle", async () => { if (changes.open && changes.children.length === 1) changes.append(...effectPanel(await studio.effect(), "rules").filter(Boolean)); });
  show(main,
    h("div", { class: "headline" }, h("h1", {}, "Rules for ", h("em", {}, rules.target)),
      h("p", { class: "quiet" }, `${plural(n("rule"), "rule")}${n("exception") ? `, ${plural(n("exception"), "exception")}` : ""}`),
      rules.is_draft && h("p", {}, h("span", { class: "badge" }, "draft")),
      h("p", {}, h("a", { href: "#picture" }, "As a picture"))),
    rules.problem && problem(rules.problem),
    changes,
    scores(rules),
    h("div", { class: "bar" },
      h("p", {}, opening), toggle,
      splitChoice(rules, app.split, (split) => {
        app.split = split;
        rulesScreen(main).then(() => main.querySelector(`input[value=${split}]`)?.focus());
      })),
    n("rule") === 0 && rules.covered_rows !== null && nothing(rules),
    program,
    h("p", { class: "buttons" }, addRule, propose), adding,
    switchedOff(rules.off),
    grade(rules),
    findings(rules.findings));
}

// Where no rule pays, what to do about it.
function nothing(rules) {
  return h("p", { class: "card" }, `No condition tells ${rules.concluded[0]} apart well enough to be worth its place. `,
    h("a", { href: "#learn" }, "Learn again"), ` with a higher cost of a mistake on a row that is ${rules.concluded[0]} (Constraints), or a lower price of a condition; or add a rule below.`);
}

function open(holder, form) {
  show(holder, form);
  form.querySelector("select, input, button")?.focus();
}

function close(holder, opener) {
  show(holder);
  opener?.focus();
}

// Send an edit; what goes wrong is shown where it was asked for.
export async function apply(edit, failed) {
  try {
    const answer = await studio.edit(edit);
    await act(async () => answer, () => answer.said);
    // Whoever works by the keyboard goes on where the edit was.
    const line = edit.rule && document.querySelector(`.line[data-number="${edit.rule}"]`);
    (line?.querySelector(".chip, summary") ?? document.getElementById("undo"))?.focus();
  } catch (error) {
    if (error.status === 409) await app.noticed(error);
    else failed(error.message);
  }
}

function ruleLine(line, rules) {
  const tone = line.kind === "rule" || line.kind === "default" ? line.kind : line.supports === false ? "against" : "for";
  const holder = h("div", { class: "editing-form" });
  const can = rules.covered_rows !== null && line.kind !== "text" && !line.locked;
  const element = h("div", { class: `line ${tone}`, role: "listitem", "data-number": line.number, vars: { "--depth": line.depth } },
    h("div", { class: "english" }, words(line, rules, holder, can), line.locked && h("span", { class: "badge" }, "locked")),
    h("code", { class: "clause" }, line.clause ?? ""),
    line.figures && rules.covered_rows !== null ? bars(line, rules) : h("div", {}),
    line.number && line.number !== "else" && rules.covered_rows !== null ? tools(line, rules, holder) : h("div", {}),
    holder);
  return element;
}

// A line in words whose conditions are buttons.
function words(line, rules, holder, can) {
  if (line.kind !== "rule" && line.kind !== "exception") return line.text;
  const chips = line.parts.map((part) => chip(part, line, rules, holder, can));
  const table = line.parts.find((part) => part.kind === "points");
  const joined = chips.filter((_, i) => line.parts[i] !== table).flatMap((one, i) => (i ? [" and ", one] : [one]));
  const start = line.kind === "rule" ? `${line.label}, ${joined.length ? "if " : table ? "" : "in any case"}` : "unless ";
  const number = h("span", { class: "number-of" }, line.number);
  if (!table) return [number, " ", start, joined];
  return [number, " ", start, joined, joined.length ? ", " : "", line.kind === "rule" ? "with " : joined.length ? "with " : "it has ",
    needed(table, line, holder, can), ":",
    h("ul", { class: "cases" }, table.cases.map((one, i) => h("li", {}, pointsOf(one, i, line, holder, can), " ",
      caseChip(one, i, line, rules, holder, can))))];
}

function chip(part, line, rules, holder, can) {
  if (part.kind === "points") return null;
  const edit = part.kind === "test" && part.values
    ? () => open(holder, conditionForm({ column: part.column, label: line.label, columns: rules.columns, values: part.values, title: `${name(line)}: ${part.column}`,
      edit: (column, values) => ({ do: "test", rule: line.number, column, values }), apply, cancel: () => close(holder, button) }))
    : null;
  const button = edit && can ? h("button", { type: "button", class: "chip", title: "Change this condition", onclick: edit }, part.text)
    : h("span", { class: "chip-text" }, part.text);
  const drop = can && h("button", { type: "button", class: "drop-chip", "aria-label": `Drop the condition: ${part.text}`, title: "Drop this condition",
    onclick: () => apply({ do: "drop", rule: line.number, ...(part.kind === "test" ? { column: part.column } : { case: part.index }) },
      (text) => show(holder, problem(text))) }, "×");
  return h("span", { class: "condition-of" }, button, drop);
}

function caseChip(one, i, line, rules, holder, can) {
  if (!can) return h("span", { class: "chip-text" }, one.text);
  const button = one.values
    ? h("button", { type: "button", class: "chip", title: "Change this condition", onclick: () => open(holder, conditionForm({ column: one.column, label: line.label,
      columns: rules.columns, values: one.values, title: `${name(line)}: ${one.column}`,
      edit: (column, values) => ({ do: "case", rule: line.number, case: i, column, values }), apply, cancel: () => close(holder, button) })) }, one.text)
    : h("span", { class: "chip-text" }, one.text);
  return h("span", { class: "condition-of" }, button, h("button", { type: "button", class: "drop-chip", "aria-label": `Drop the case: ${one.text}`,
    title: "Drop this case", onclick: () => apply({ do: "drop case", rule: line.number, case: i }, (text) => show(holder, problem(text))) }, "×"));
}

function pointsOf(one, i, line, holder, can) {
  if (!can) return h("strong", {}, count(one.points));
  return h("input", { type: "number", class: "points", min: "1", max: "1000", value: String(one.points), "aria-label": `Points for: ${one.text}`,
    onchange: sendPoints({ do: "points", rule: line.number, case: i }, one.points, holder) });
}

// Points that are refused are put back as they are: a field must not show what the rule does not have.
function sendPoints(edit, points, holder) {
  return ({ target }) => apply({ ...edit, points: Number(target.value) }, (text) => {
    target.value = String(points);
    show(holder, problem(text));
  });
}

function needed(table, line, holder, can) {
  if (!can) return table.needed_text;
  return [h("input", { type: "number", class: "points", min: "1", max: "100000", value: String(table.needed), "aria-label": `Points that ${name(line)} needs`,
    onchange: sendPoints({ do: "needed", rule: line.number }, table.needed, holder) }),
  " points or more"];
}

const name = (line) => (line.kind === "rule" ? `Rule ${line.number}` : `Exception ${line.number}`);

function tools(line, rules, holder) {
  const menu = h("details", { class: "menu tools" });
  const item = (text, onclick) => h("li", {}, h("button", { type: "button", onclick: () => { menu.open = false; onclick(); } }, text));
  const failed = (text) => show(holder, problem(text));
  const send = (what) => () => apply({ do: what, rule: line.number }, failed);
  const back = () => close(holder, menu.querySelector("summary"));
  const table = line.parts.find((part) => part.kind === "points");
  const isRule = line.kind === "rule";
  const places = rules.lines.filter(({ kind }) => kind === "rule").map(({ number }) => number);
  const items = line.locked ? [item("Unlock the rule", send("unlock"))] : [
    item("Add a condition", () => open(holder, conditionForm({ column: null, label: line.label, columns: rules.columns, values: null, title: `${name(line)}: another condition`,
      edit: (column, values) => ({ do: "test", rule: line.number, column, values }), apply, cancel: back }))),
    table && item("Add a case with points", () => open(holder, caseForm(line, rules, back))),
    item("Add an exception", () => open(holder, exceptionForm(line, rules, apply, back))),
    line.figures && line.figures.precision !== null
      && item("Propose an exception for its wrong rows", () => open(holder, proposalForm({ rule: line.number }, rules, apply, back))),
    isRule && places.indexOf(line.number) > 0 && item("Move up", send("up")), isRule && places.indexOf(line.number) < places.length - 1 && item("Move down", send("down")),
    isRule && !rules.in_order && item("Lock: keep it when learning again", send("lock")),
    (!isRule || !rules.in_order) && item("Switch off", send("off")), item("Remove", send("remove"))];
  menu.append(h("summary", { "aria-label": `Change ${name(line).toLowerCase()}` }, "Change"), h("ul", {}, items.filter(Boolean)));
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  return menu;
}

function caseForm(line, rules, back) {
  const points = h("input", { type: "number", class: "points", min: "1", value: "1", "aria-label": "Points" });
  return conditionForm({ column: null, label: line.label, columns: rules.columns, values: null, title: `${name(line)}: another case`, apply, cancel: back,
    edit: (column, values) => ({ do: "add case", rule: line.number, points: Number(points.value), column, values }),
    extra: (changed) => { points.addEventListener("input", changed); return h("p", {}, "Points ", points); } });
}

function bars(line, rules) {
  const { figures } = line;
  const nRows = rules.covered_rows;
  const covered = nRows ? figures.covered / nRows : 0;
  const known = figures.precision !== null;
  const label = `${plural(figures.covered, "row")}, ${count(figures.alone)} by this alone`
    + (known ? `, ${percent(figures.precision)} right` : "");
  const query = { rule: line.number, split: app.split };
  const wrong = known && figures.precision < 1 && figures.covered > 0;
  return h("div", { class: "figures", title: label },
    h("span", { class: "meter rows", role: "img", "aria-label": label, vars: { "--share": covered } }),
    h("a", { href: `#rows?${new URLSearchParams(query)}`, "aria-label": `${name(line)}: its ${plural(figures.covered, "row")}` }, plural(figures.covered, "row")),
    known && h("span", { class: "meter right", "aria-hidden": "true", vars: { "--share": figures.precision } }),
    known && (wrong && line.kind === "rule"
      ? h("a", { href: `#rows?${new URLSearchParams({ ...query, wrong: true })}`, "aria-label": `${name(line)}: the rows that it gets wrong` }, `${percent(figures.precision)} right`)
      : h("span", {}, `${percent(figures.precision)} right`)));
}

function switchedOff(off) {
  if (!off.length) return null;
  const holder = h("div", {});
  return h("section", { class: "card" }, h("h2", {}, "Switched off"), h("ul", { class: "plain" }, off.map(({ text, number }, i) =>
    h("li", {}, h("span", { class: "quiet" }, `${number} ${text} `), h("button", { type: "button", onclick: () =>
      apply({ do: "on", case: i }, (said) => show(holder, problem(said))) }, "Switch on")))), holder);
}

// The grade: points by column, bands with probability and rows.
function grade(rules) {
  if (!rules.grade.length) return null;
  return h("details", { class: "card grade" }, h("summary", {}, "How sure: points and probabilities"),
    rules.old_grade && h("p", { class: "note" }, "This grade was made for the rules before the last edit; learn again, or run unless grade."),
    rules.grade.map((card) => h("div", {}, h("h3", {}, card.title),
      h("div", { class: "two" },
        pointsByColumn(card),
        card.bands.length > 0 && h("div", { class: "bands", role: "region", "aria-label": `Bands: ${card.title}`, tabindex: "0" },
          h("table", {}, h("caption", { class: "hidden" }, "Bands of points"),
            h("thead", {}, h("tr", {}, card.band_head.map((text) => h("th", { scope: "col", class: "number" }, text)))),
            h("tbody", {}, card.bands.map((cells) => h("tr", {}, cells.map((text) => h("td", { class: "number" }, text)))))))),
      card.note && h("p", { class: "note" }, card.note))),
    h("p", {}, h("a", { href: "#affected?cut=true" }, "Choose a cut-off")));
}

// What every row begins with, each column with its entries, and lines that ask more than one column.
function pointsByColumn(card) {
  const number = (points) => h("td", { class: "number" }, points);
  const line = ([points, text]) => h("tr", {}, h("td", { colspan: 2 }, text), number(points));
  return h("table", { class: "by-column" }, h("caption", { class: "hidden" }, "Points by column"),
    card.start.length > 0 && h("tbody", {}, card.start.map(line)),
    card.columns.map(({ column, entries }) => h("tbody", {}, entries.map(([points, text], i) =>
      h("tr", {}, i === 0 && h("th", { scope: "rowgroup", rowspan: entries.length }, column), h("td", {}, text), number(points))))),
    card.lines.length > 0 && h("tbody", {}, card.lines.map(line)));
}

export function findings(found) {
  if (!found.length) return null;
  return h("section", { class: "card findings" }, h("h2", {}, "To think about"),
    h("ul", {}, found.map((finding) => h("li", {}, h("span", { class: "badge" }, finding.kind), " ", finding.sentence,
      " ", h("code", {}, finding.clause)))));
}

