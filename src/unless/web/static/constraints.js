// Constraints on rules: columns left out or forbidden, directions, columns apart, costs of the two mistakes, rules to keep.

import { app } from "./app.js";
import { h, plural } from "./dom.js";

export function constraints(settings, columns, target, change) {
  const usable = columns.filter((column) => column.usable && column.name !== settings.target);
  const used = usable.filter(({ left_out: out }) => !out);
  const n = settings.forbidden.length + Object.keys(settings.directions).length + settings.never_together.length + Object.keys(settings.costs).length
    + usable.length - used.length + (settings.max_rules ? 1 : 0);
  return h("details", { class: "card constraints", open: n > 0 }, h("summary", {}, `Constraints${n ? ` (${n})` : ""}`),
    h("div", { class: "fields" }, leftOut(settings, usable, change), forbidden(settings, used, change), directions(settings, used, change), together(settings, used, change),
      costs(settings, target, change), most(settings, change), locked(settings, change)));
}

const choose = (id, names, label = null) => h("select", { id, "aria-label": label }, h("option", { value: "" }, label ? `${label} …` : "choose …"), names.map((name) => h("option", { value: name }, name)));
const add = (label, onclick) => h("button", { type: "button", "aria-label": label, onclick }, "Add");
const pick = (id, text, names, choose) => h("div", {}, h("label", { for: id }, text), h("select", { id, onchange: (event) => event.target.value && choose(event.target.value) },
  h("option", { value: "" }, "choose …"), names.map((name) => h("option", { value: name }, name))));

const chips = (label, items) => items.length > 0 && h("ul", { class: "chips", "aria-label": label }, items.map(([text, drop]) =>
  h("li", {}, text, h("button", { type: "button", "aria-label": `Drop: ${text}`, onclick: drop }, "×"))));

function leftOut(settings, usable, change) {
  const out = usable.filter(({ left_out: is }) => is).map(({ name }) => name);
  const others = settings.left_out.filter((name) => !out.includes(name));
  return h("div", {}, pick("leave-out", "Leave out a column", usable.filter((column) => !column.left_out).map(({ name }) => name),
    (name) => change({ left_out: [...settings.left_out, name] }, true)),
  chips("Columns left out", out.map((name) => [name, () => change({ left_out: [...others, ...out.filter((one) => one !== name)] }, true)])));
}

// Unlike one that is left out, a forbidden column is part of the program, whose file says that no rule may test it.
function forbidden(settings, used, change) {
  const given = settings.forbidden;
  return h("div", {}, pick("forbid", "A column that no rule may test", used.filter(({ name }) => !given.includes(name)).map(({ name }) => name),
    (name) => change({ forbidden: [...given, name] }, true)),
  chips("Columns forbidden", given.map((name) => [name, () => change({ forbidden: given.filter((one) => one !== name) }, true)])));
}

function directions(settings, used, change) {
  const given = settings.directions;
  const ways = { 1: "more speaks for it", "-1": "more speaks against it" };
  const without = (name) => Object.fromEntries(Object.entries(given).filter(([one]) => one !== name));
  const column = choose("direction", used.filter(({ kind, name }) => kind === "numerical" && !(name in given)).map(({ name }) => name));
  const way = h("select", { "aria-label": "Which direction" }, Object.entries(ways).sort((a, b) => b[0] - a[0]).map(([value, text]) => h("option", { value }, text)));
  return h("div", {}, h("label", { for: "direction" }, "A direction for a column"),
    h("p", { class: "one" }, column, way, add("Add the direction", () => column.value && change({ directions: { ...given, [column.value]: Number(way.value) } }, true))),
    chips("Directions", Object.entries(given).map(([name, one]) => [`${name}: ${ways[one]}`, () => change({ directions: without(name) }, true)])));
}

function together(settings, used, change) {
  const pairs = settings.never_together;
  const names = used.map(({ name }) => name);
  const [first, second] = [choose("apart-first", names), choose("apart-second", names, "and")];
  const both = () => first.value && second.value && first.value !== second.value && change({ never_together: [...pairs, [first.value, second.value]] }, true);
  return h("div", {}, h("label", { for: "apart-first" }, "Two columns that no rule combines"), h("p", { class: "one" }, first, second, add("Keep them apart", both)),
    chips("Columns apart", pairs.map((pair, i) => [pair.join(" and "), () => change({ never_together: pairs.filter((_, j) => j !== i) }, true)])));
}

function costs(settings, target, change) {
  const labels = (target?.labels ?? []).slice(0, 6).map(({ word }) => word);
  return h("div", {}, h("span", { class: "label" }, "What a mistake costs"), labels.map((label, i) => h("p", { class: "one" }, h("label", { for: `cost-${i}` }, `on a row that is ${label}`),
    h("input", { id: `cost-${i}`, type: "number", min: "0.01", step: "any", class: "points", value: String(settings.costs[label] ?? 1), onchange: (event) => {
      const given = { ...settings.costs, [label]: Number(event.target.value) };
      change({ costs: Object.fromEntries(Object.entries(given).filter(([, cost]) => cost > 0 && cost !== 1)) }, true);
    } }))));
}

function most(settings, change) {
  return h("div", {}, h("label", { for: "most" }, "Rules and exceptions at most"), h("input", { id: "most", type: "number", min: "1", max: "1000", class: "points",
    placeholder: "any", value: settings.max_rules ? String(settings.max_rules) : "", onchange: (event) => change({ max_rules: Number(event.target.value) || 0 }, true) }));
}

function locked(settings, change) {
  if (!app.state.n_locked) return h("p", { class: "note" }, "Rules that you lock on the Rules screen are kept as they are, and the others learned around them.");
  return h("p", { class: "one" }, h("input", { type: "checkbox", id: "keep-locked", checked: settings.keep_locked, onchange: (event) => change({ keep_locked: event.target.checked }, true) }),
    h("label", { for: "keep-locked" }, `Keep ${plural(app.state.n_locked, "locked rule")}`));
}
