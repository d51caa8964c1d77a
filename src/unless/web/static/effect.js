// What a draft would change: the change in words, the rows that flip by kind of rows, who they are, scores before and after.

import { count, h, lowerIsBetter, metricName, percent, plural } from "./dom.js";

const NAMES = { held_out: "unseen", training: "training", all: "" };

// One sentence for a kind of rows: those kept apart if there are some.
export function flipSentence(effect) {
  const part = effect.splits?.[0];
  if (!part) return null;
  const kind = NAMES[part.split] ? `${NAMES[part.split]} ` : "";
  const rows = `${count(part.n_rows)} ${kind}rows`;
  if (!part.n_flips) return h("span", { class: "flips" }, `None of ${rows} flips`, rest(effect));
  return h("span", { class: "flips" }, h("strong", {}, `${count(part.n_flips)} of ${rows}`), part.n_flips === 1 ? " flips" : " flip",
    part.better !== undefined && [": ", h("span", { class: "better" }, `${count(part.better)} for the better`), ", ",
      h("span", { class: "worse" }, `${count(part.worse)} for the worse`)]);
}

function rest(effect) {
  const all = effect.splits.find(({ split }) => split === "training");
  return all && all !== effect.splits[0] && all.n_flips ? `, ${count(all.n_flips)} of those learned from` : null;
}

export function saidList(sentences) {
  return sentences.length > 0 && h("ul", { class: "said" }, sentences.map((sentence) => h("li", {}, sentence)));
}

export function splitTable(effect) {
  if (!effect.splits?.length || effect.splits[0].before === undefined) return null;
  const signed = (n) => (n > 0 ? `+${count(n)}` : count(n));
  return h("table", { class: "measures" }, h("caption", { class: "hidden" }, "Rows that flip, and accuracy before and after"),
    h("thead", {}, h("tr", {}, ["rows", "flip", "right", "accuracy before", "after"].map((name, i) =>
      h("th", { scope: "col", class: i ? "number" : null }, name)))),
    h("tbody", {}, effect.splits.map((part) => {
      const net = part.better - part.worse;
      return h("tr", {}, h("th", { scope: "row" }, { held_out: "unseen", training: "learned from", all: "all" }[part.split]),
        h("td", { class: "number" }, count(part.n_flips)),
        h("td", { class: `number ${net > 0 ? "better" : net < 0 ? "worse" : "quiet"}` }, signed(net)),
        h("td", { class: "number" }, percent(part.before)), h("td", { class: "number" }, percent(part.after)));
    })));
}

export function changesList(effect) {
  const part = effect.splits?.find(({ split }) => split === "all");
  if (!part?.n_flips) return null;
  return h("ul", { class: "fliplist" }, part.changes.map(({ before, after, n }) =>
    h("li", {}, `${before} → ${after}: ${plural(n, "row")}`)));
}

export function whoList(effect) {
  if (!effect.who?.length) return null;
  return h("p", {}, "Who: ", effect.who.map(({ text, share, of_all: all }, i) => [i ? "; " : "", h("strong", {}, text),
    ` in ${percent(share)} of them (${percent(all)} of all)`]));
}

export function measures(list) {
  if (!list?.length) return null;
  return h("details", {}, h("summary", {}, "All measures, on all rows"),
    h("table", { class: "measures" }, h("caption", { class: "hidden" }, "Scores before and after"),
      h("thead", {}, h("tr", {}, ["on all rows", "before", "after", "change"].map((name, i) =>
        h("th", { scope: "col", class: i ? "number" : null }, name)))),
      h("tbody", {}, list.map((measure) => {
        const change = measure.after - measure.before;
        const gain = lowerIsBetter(measure.name) ? -change : change;
        const tone = Math.abs(change) < 5e-5 ? "quiet" : gain > 0 ? "better" : "worse";
        const name = metricName(measure.name);
        return h("tr", {}, h("th", { scope: "row" }, measure.label === null ? name : `${name} of ${measure.label}`),
          h("td", { class: "number" }, measure.before.toFixed(4)), h("td", { class: "number" }, measure.after.toFixed(4)),
          h("td", { class: `number ${tone}` }, (change > 0 ? "+" : "") + change.toFixed(4)));
      }))));
}

export function flipRows(comparison, screen) {
  if (!comparison?.n_flips) return null;
  const link = (flip) => h("li", { class: flip.verdict }, h("a", { href: `#${screen}?row=${flip.row}` }, `row ${flip.row}`),
    ` ${flip.before} → ${flip.after}`, flip.verdict === "neither" && h("span", { class: "quiet" }, ` (is ${flip.actual})`));
  return h("details", {}, h("summary", {}, `Rows that flip (${count(comparison.n_flips)})`),
    h("ul", { class: "fliplist" }, comparison.flips.map(link)),
    comparison.n_flips > comparison.flips.length && h("p", {}, h("a", { href: "#rows?flips=true" }, `All ${plural(comparison.n_flips, "row")}`)));
}

// Everything, for a side panel.
export function effectPanel(effect, screen) {
  return [saidList(effect.said), h("p", {}, flipSentence(effect)), splitTable(effect), changesList(effect), whoList(effect),
    flipRows(effect.comparison, screen), measures(effect.comparison?.measures)];
}
