// Scores on held-out rows first, then, as small print, on those learned from, with confusion matrices whose cells lead to their rows.

import { count, h, listed, metricName, percent, plural } from "./dom.js";

export const SPLITS = { all: "all rows", training: "rows learned from", held_out: "held-out rows" };

const HOW = {
  held_out: "Kept apart at random before learning, of each label alike.",
  training: "Learned from, so these figures flatter the program.",
};

export function scores(rules) {
  if (!rules.splits.length) return null;
  const shown = rules.splits.filter(({ split }) => split !== "all" || rules.splits.length === 1);
  return h("section", { class: "scores", "aria-label": "Scores" }, shown.map((part) => card(part, rules)));
}

function card(part, rules) {
  const title = h("h2", {}, capital(SPLITS[part.split]), h("span", { class: "quiet" }, plural(part.n_rows, "row")));
  if (!part.matrix) return h("div", { class: "card" }, title, h("p", { class: "quiet" }, "These rows have no labels."));
  const first = part.metrics.find(({ label }) => label !== null)?.label;
  const shown = part.metrics.filter(({ label }) => label === null || label === first);
  const ofFirst = shown.filter(({ label }) => label !== null).map(({ name }) => metricName(name));
  return h("div", { class: part.split === "training" ? "card score small-print" : "card score" },
    h("div", {}, title, h("dl", {}, shown.map(({ name, value }) => h("div", {}, h("dt", {}, metricName(name)), h("dd", {}, percent(value))))),
      HOW[part.split] && h("p", { class: "quiet" }, HOW[part.split]),
      first !== undefined && h("p", { class: "quiet" }, `${listed(ofFirst)} of ${first}`)),
    matrix(part, rules.labels));
}

function matrix(part, labels) {
  const names = [...labels, "other labels"];
  return h("table", { class: "matrix" },
    h("caption", {}, "actual label down, predicted label across"),
    h("thead", {}, h("tr", {}, h("td", {}), labels.map((label) => h("th", { scope: "col" }, label)))),
    h("tbody", {}, part.matrix.map((line, i) => h("tr", {}, h("th", { scope: "row" }, names[i]), line.map((n, j) => {
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
