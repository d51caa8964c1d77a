// Who is affected: rates and errors by segment with intervals, which rules make the gap; and where to cut.

import { studio } from "./api.js";
import { app } from "./app.js";
import { count, h, percent, problem, show } from "./dom.js";
import { SPLITS } from "./scores.js";

export async function affectedScreen(main, query) {
  const { columns } = await studio.columns();
  const rules = await studio.rules(app.split);
  if (!app.shows("affected")) return;
  const usable = columns.filter((column) => column.usable && column.name !== rules.target && !column.reading
    && (column.kind === "numerical" || column.n_distinct <= 40));
  const by = query.get("by") ?? usable[0]?.name;
  const label = query.get("label") ?? rules.concluded[0];
  const result = h("div", { "aria-live": "polite" });
  const cut = h("div", {});
  const select = (id, name, value, options, key) => h("div", {}, h("label", { for: id }, name), h("select", { id,
    onchange: (event) => app.alter({ [key]: event.target.value }) }, options.map((one) => h("option", { value: one, selected: one === value }, one))));
  show(main, h("h1", {}, "Who is affected"),
    app.state.draft !== null && h("p", { class: "note" }, "Counted for the program in use; use the draft to see it here."),
    h("section", { class: "card fields" }, select("by", "Segments by", by, usable.map(({ name }) => name), "by"),
      select("of-label", "Rate of", label, rules.labels, "label")),
    result, h("h2", { id: "cut" }, "Where to cut"), cut);
  const looks = [segments(result, by, label), cutoff(cut)];
  await Promise.all(looks);
  if (query.has("cut")) main.querySelector("#cut").scrollIntoView();
}

async function segments(result, by, label) {
  if (!by) {
    show(result, h("p", { class: "note" }, "No column has few enough words, or numbers, to make segments of."));
    return;
  }
  show(result, h("p", { class: "quiet" }, "Counting …"));
  try {
    const found = await studio.segments(by, label, "held_out");
    show(result, segmentTable(found, by), gap(found));
  } catch (error) {
    show(result, problem(error.message));
  }
}

function segmentTable(found, by) {
  const labelled = found.groups[0]?.wrong;
  const heads = ["segment", "rows", `predicted ${found.label}`, ...(labelled ? [`actually ${found.label}`, "wrong", `wrongly ${found.label}`, `${found.label} missed`] : [])];
  return h("div", { class: "scroll", role: "region", "aria-label": "Segments", tabindex: "0" }, h("table", { class: "segments" },
    h("caption", {}, `${count(found.n_rows)} ${SPLITS[found.split]}, by ${by}; in brackets where 95 % of such shares lie`),
    h("thead", {}, h("tr", {}, heads.map((name, i) => h("th", { scope: "col", class: i ? "number" : null }, name)))),
    h("tbody", {}, found.groups.map((group) => h("tr", {}, h("th", { scope: "row" }, group.name),
      h("td", { class: "number" }, count(group.predicted.of)), [group.predicted, ...(labelled ? [group.actual, group.wrong, group.false_positive, group.false_negative] : [])].map((share) =>
        h("td", { class: "number" }, share.of ? [h("span", { class: "meter", vars: { "--share": share.share } }), ` ${percent(share.share)} `,
          h("span", { class: "quiet" }, `(${percent(share.interval[0])} to ${percent(share.interval[1])})`)] : "–")))))));
}

function gap(found) {
  if (found.groups.length < 2) return h("p", { class: "note" }, "There is one segment only.");
  const names = [found.groups[found.highest].name, found.groups[found.lowest].name];
  const points = (share) => `${share > 0 ? "+" : ""}${(100 * share).toFixed(1)} points`;
  return h("section", { class: "card" }, h("h2", {}, "Which rules make the difference"),
    h("p", {}, `Between ${names[0]} and ${names[1]} there are ${points(found.gap).replace("+", "")}. `,
      found.depends === true ? `Two rows that differ in ${found.column} alone can get different labels.`
        : found.depends === false ? `No two rows that differ in ${found.column} alone get different labels: that is proved.` : null),
    h("ul", { class: "plain" }, found.parts.map((part) => h("li", {}, `${points(part.gap)} by rule ${part.rule} (${part.label})`))),
    h("h3", {}, "Without one of them"),
    h("div", { class: "scroll", role: "region", "aria-label": "Without one rule", tabindex: "0" }, h("table", {}, h("thead", {}, h("tr", {}, ["rule", "says", "gap without it"].map((name, i) =>
      h("th", { scope: "col", class: i === 2 ? "number" : null }, name)))),
    h("tbody", {}, found.without.slice(0, 8).map((part) => h("tr", {}, h("th", { scope: "row" }, h("a", { href: `#rows?rule=${part.rule}` }, part.rule)),
      h("td", {}, part.says), h("td", { class: "number" }, points(part.gap))))))),
    h("details", {}, h("summary", {}, "The same as text"), h("pre", {}, found.text)));
}

async function cutoff(holder) {
  let found;
  try {
    found = await studio.cutoffs("held_out");
  } catch (error) {
    show(holder, h("p", { class: "note" }, error.message));
    return;
  }
  const { cuts } = found;
  const start = cuts.findIndex(({ cut }) => cut >= 0.5);
  const slider = h("input", { type: "range", id: "cut-at", min: "0", max: String(cuts.length - 1), value: String(start) });
  const price = (id, value, text) => h("div", {}, h("label", { for: id }, text), h("input", { id, type: "number", min: "0", step: "any", value }));
  const result = h("div", { "aria-live": "polite" });
  const costOf = () => ["cost-false", "cost-missed"].map((id) => Number(holder.querySelector(`#${id}`).value) || 0);
  const total = (one, [wrongly, missed]) => one.false * wrongly + one.missed * missed;
  const update = () => {
    const one = cuts[Number(slider.value)];
    const costs = costOf();
    const cheapest = cuts.reduce((best, each) => (total(each, costs) < total(best, costs) ? each : best));
    slider.setAttribute("aria-valuetext", percent(one.cut));
    show(result,
      h("p", {}, `Decided ${found.label} from a probability of `, h("strong", {}, percent(one.cut)), "."),
      h("div", { class: "two" }, confusion(one, found), figures(one, found, costs, total)),
      h("p", {}, `Cheapest is a cut-off of ${percent(cheapest.cut)}, with a cost of ${count(total(cheapest, costs))}. `,
        h("button", { type: "button", onclick: () => { slider.value = String(cuts.indexOf(cheapest)); update(); slider.focus(); } }, "Go there")));
  };
  slider.addEventListener("input", update);
  show(holder, h("p", { class: "quiet" }, `${count(found.n_rows)} ${SPLITS[found.split]}. The rules decide; a cut-off on the probability of ${found.label} decides a little more strictly or mildly.`),
    found.is_old && h("p", { class: "note" }, "The probabilities were made for the rules before the last edit."),
    h("section", { class: "card fields" }, h("div", { class: "grow" }, h("label", { for: "cut-at" }, "Cut-off"), slider),
      price("cost-false", "1", `A row wrongly ${found.label} costs`), price("cost-missed", "1", `A ${found.label} row missed costs`)), result);
  for (const id of ["cost-false", "cost-missed"]) holder.querySelector(`#${id}`).addEventListener("input", update);
  update();
}

function confusion(one, found) {
  const cell = (n, right) => h("td", { class: right ? "right" : "wrong" }, h("span", {}, count(n)));
  return h("table", { class: "matrix" }, h("caption", {}, "actual label down, decided label across"),
    h("thead", {}, h("tr", {}, h("td", {}), [found.label, found.other].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, h("tr", {}, h("th", { scope: "row" }, found.label), cell(one.hits, true), cell(one.missed, false)),
      h("tr", {}, h("th", { scope: "row" }, found.other), cell(one.false, false), cell(one.right_other, true))));
}

function figures(one, found, costs, total) {
  const share = (n, of) => (of ? percent(n / of) : "–");
  const line = (name, now, byRules) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number" }, now), h("td", { class: "number quiet" }, byRules));
  const of = (each) => [share(each.hits + each.false, found.n_rows), share(each.hits + each.right_other, found.n_rows), share(each.hits, found.n_label),
    share(each.hits, each.hits + each.false), count(total(each, costs))];
  const [now, byRules] = [of(one), of(found.rules)];
  return h("table", { class: "measures" }, h("thead", {}, h("tr", {}, ["", "at this cut-off", "as the rules decide"].map((name, i) => h(i ? "th" : "td", i ? { scope: "col", class: "number" } : {}, name)))),
    h("tbody", {}, [`decided ${found.label}`, "right", `of ${found.label} found`, `right of those decided ${found.label}`, "cost"].map((name, i) => line(name, now[i], byRules[i]))));
}
