// Scores on held-out rows first, then, as small print, on those learned from, with confusion matrices whose cells lead to their rows.

import { app } from "./app.js";
import { count, h, listed, metricName, percent, plural } from "./dom.js";

export const SPLITS = { all: "all rows", training: "rows learned from", held_out: "unseen rows" };

const APART = {
  share: "Kept apart at random before learning, of each label alike.",
  newest: (apart) => `The newest by ${apart.column}, kept apart before learning.`,
  groups: (apart) => `Whole groups of ${apart.column}, kept apart before learning.`,
};

function how(part) {
  if (part.split === "training") return "Learned from, so these figures flatter the program.";
  if (app.state.apart && (app.state.apart.how === "folds" || !app.state.apart.share)) return "Learned from all of these rows, so these figures flatter the program.";
  if (app.state.is_other_table) return "The table is not the one, or no longer as it was, that the program was learned from: which of these rows it was learned from is not known.";
  if (part.split !== "held_out" || !app.state.apart) return "It is not known which of these rows the program was learned from.";
  const text = APART[app.state.apart.how];
  return typeof text === "function" ? text(app.state.apart) : text;
}

export function scores(rules) {
  if (!rules.splits.length) return null;
  const apart = rules.splits.some(({ split }) => split === "held_out");
  const [first, ...others] = rules.splits.filter(({ split }) => (apart ? split !== "all" : split === "all"));
  return h("section", { class: "scores", "aria-label": "Scores" }, rules.unseen && !apart ? folds(rules.unseen) : null, card(first, rules),
    others.map((part) => h("details", { class: "card small-print" }, h("summary", {}, `${capital(SPLITS[part.split])}: ${percent(part.metrics?.[0].value)} right`), card(part, rules))));
}

// What folds said: each row was once unseen by a program learned from the others.
function folds(unseen) {
  return h("div", { class: "card score" }, h("div", {}, h("h2", {}, "Unseen rows", h("span", { class: "quiet" }, plural(unseen.rows, "row"))),
    h("p", { class: "big" }, h("strong", {}, percent(unseen.accuracy)), " right",
      h("span", { class: "quiet" }, ` (${percent(unseen.accuracy_low)} to ${percent(unseen.accuracy_high)})`)),
    h("p", { class: "quiet" }, `Each row held out once, in ${unseen.folds} folds, from programs learned alike. Always ${unseen.commonest_label} is right `
      + `${percent(unseen.accuracy_of_commonest_label)}.`)));
}

function card(part, rules) {
  const title = h("h2", {}, capital(SPLITS[part.split]), h("span", { class: "quiet" }, plural(part.n_rows, "row")));
  if (!part.matrix) return h("div", { class: "card" }, title, h("p", { class: "quiet" }, "These rows have no labels."));
  const concluded = [...new Set(part.metrics.map(({ label }) => label).filter((label) => label !== null))];
  const [first] = concluded;
  const many = concluded.length > 1;
  const shown = part.metrics.filter(({ name, label }) => name !== "accuracy" && (label === null || label === first));
  const ofFirst = shown.filter(({ label }) => label !== null).map(({ name }) => metricName(name));
  return h("div", { class: part.split === "training" ? "score" : "card score" },
    h("div", {}, title,
      h("p", { class: "big" }, h("strong", {}, percent(part.metrics[0].value)), " right",
        h("span", { class: "quiet" }, ` (${percent(part.interval[0])} to ${percent(part.interval[1])}); always ${part.baseline.label} is right ${percent(part.baseline.accuracy)}`)),
      many ? byLabel(part, concluded)
        : h("dl", {}, shown.map(({ name, value }) => h("div", {}, h("dt", {}, metricName(name)), h("dd", {}, figure(name, value))))),
      h("p", { class: "quiet" }, how(part)),
      !many && first !== undefined && h("p", { class: "quiet" }, `${listed(ofFirst)} of ${first}`)),
    matrix(part, rules.labels));
}

// Of many labels each has its own figures: those of one alone would say little.
function byLabel(part, labels) {
  const names = [...new Set(part.metrics.filter(({ label }) => label !== null).map(({ name }) => name))];
  const value = (label, name) => part.metrics.find((metric) => metric.label === label && metric.name === name)?.value;
  return h("table", { class: "by-label" }, h("caption", { class: "hidden" }, "Figures of each label"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "label"), names.map((name) => h("th", { scope: "col", class: "number" }, metricName(name))))),
    h("tbody", {}, labels.map((label) => h("tr", {}, h("th", { scope: "row" }, label), names.map((name) => h("td", { class: "number" }, figure(name, value(label, name))))))));
}

// An AUC is no share of rows, so it is not written as one.
const figure = (name, value) => (name === "auc" ? value?.toFixed(3) ?? "" : percent(value));

function matrix(part, labels) {
  const names = [...labels, "other labels"];
  return h("table", { class: "matrix" },
    h("caption", {}, "actual label down, predicted label across"),
    h("thead", {}, h("tr", {}, h("td", {}), labels.map((label) => h("th", { scope: "col", title: label }, label)))),
    h("tbody", {}, part.matrix.map((line, i) => h("tr", {}, h("th", { scope: "row", title: names[i] }, names[i]), line.map((n, j) => {
      const query = new URLSearchParams({ split: part.split, actual: i, predicted: j });
      const text = `${count(n)} rows: ${names[i]}; predicted ${labels[j]}`;
      return h("td", { class: i === j ? "right" : "wrong" }, n
        ? h("a", { href: `#rows?${query}`, "aria-label": text, title: text }, count(n)) : "0");
    })))));
}

export function splitChoice(rules, current, choose) {
  if (rules.splits.length < 2) return null;
  return h("fieldset", { class: "choice" }, h("legend", {}, "Figures on"), ["held_out", "training", "all"].map((split) =>
    h("label", {}, h("input", { type: "radio", name: "split", value: split, checked: split === current,
      onchange: () => choose(split) }), SPLITS[split])));
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
