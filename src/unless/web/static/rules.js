// The program: each rule in plain language beside its logic text, exceptions under what they except, with bars.

import { studio } from "./api.js";
import { app } from "./app.js";
import { count, h, percent, plural, problem, show } from "./dom.js";
import { scores, splitChoice } from "./scores.js";

export async function rulesScreen(main) {
  const rules = await studio.rules(app.split);
  const [opening, ...lines] = rules.lines;
  const rule = lines.filter((line) => line.kind === "rule").length;
  const exceptions = lines.filter((line) => line.kind === "exception").length;
  show(main,
    h("div", { class: "headline" }, h("h1", {}, "Rules for ", h("em", {}, rules.target)),
      h("p", { class: "quiet" }, `${plural(rule, "rule")}, ${plural(exceptions, "exception")}`)),
    rules.problem && problem(rules.problem),
    scores(rules),
    h("div", { class: "bar" },
      h("p", {}, opening.english),
      splitChoice(rules, app.split, (split) => {
        app.split = split;
        rulesScreen(main).then(() => main.querySelector(`input[value=${split}]`)?.focus());
      })),
    h("div", { class: "program", role: "list", "aria-label": "Rules" }, lines.map((line) => ruleLine(line, rules))),
    findings(rules.findings));
}

function ruleLine(line, rules) {
  const tone = line.kind === "rule" || line.kind === "default" ? line.kind : line.supports === false ? "against" : "for";
  const english = line.number && rules.covered_rows !== null
    ? h("a", { href: `#rows?${new URLSearchParams({ rule: line.number, split: app.split })}` }, line.english)
    : line.english;
  return h("div", { class: `line ${tone}`, role: "listitem", vars: { "--depth": line.depth } },
    h("div", { class: "english" }, english),
    h("code", { class: "clause" }, line.clause ?? ""),
    line.figures && rules.covered_rows !== null ? bars(line.figures, rules.covered_rows) : h("div", {}));
}

function bars(figures, nRows) {
  const covered = nRows ? figures.covered / nRows : 0;
  const known = figures.precision !== null;
  const label = `${plural(figures.covered, "row")}, ${count(figures.alone)} by this alone`
    + (known ? `, ${percent(figures.precision)} right` : "");
  return h("div", { class: "figures", role: "img", "aria-label": label, title: label },
    h("span", { class: "meter rows", vars: { "--share": covered } }), h("span", {}, plural(figures.covered, "row")),
    known && h("span", { class: "meter right", vars: { "--share": figures.precision } }),
    known && h("span", {}, `${percent(figures.precision)} right`));
}

export function findings(found) {
  if (!found.length) return null;
  return h("section", { class: "card findings" }, h("h2", {}, "To think about"),
    h("ul", {}, found.map((finding) => h("li", {}, h("span", { class: "badge" }, finding.kind), " ", finding.sentence,
      " ", h("code", {}, finding.clause)))));
}
