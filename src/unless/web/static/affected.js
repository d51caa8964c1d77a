// Who is affected: rates and errors by segment with intervals, which rules make the gap; and where to cut.

import { studio } from "./api.js";
import { app } from "./app.js";
import { count, h, percent, problem, show } from "./dom.js";
import { SPLITS } from "./scores.js";

export async function affectedScreen(main, query) {
  const [{ columns }, rules] = await Promise.all([studio.columns(), studio.rules(app.split)]);
  if (!app.shows("affected")) return;
  const usable = columns.filter((column) => column.usable && column.name !== rules.target && column.n_distinct > 1);
  const used = usable.filter(({ left_out: out }) => !out);
  const by = query.get("by") ?? (used.find(({ kind }) => kind === "categorical") ?? used[0] ?? usable[0])?.name;
  const label = query.get("label") ?? rules.concluded[0];
  const asked = { by, label, split: "held_out", which: rules.is_draft ? app.which : "program" };
  const result = h("div", { "aria-live": "polite" });
  const cut = h("div", {});
  const select = (id, name, value, options, key) => h("div", {}, h("label", { for: id }, name), h("select", { id,
    onchange: (event) => app.alter({ [key]: event.target.value }) }, options.map((one) => h("option", { value: one, selected: one === value }, one))));
  show(main, h("h1", {}, "Who is affected"),
    h("section", { class: "card fields" }, select("by", "Segments by", by, usable.map(({ name }) => name), "by"),
      select("of-label", "Rate of", label, rules.labels, "label"),
      rules.is_draft && whichChoice("which-affected", (which) => { app.which = which; app.redraw(); })),
    result, h("h2", { id: "cut" }, "Where to cut"), cut);
  const looks = [segments(result, asked), cutoff(cut, asked)];
  await Promise.all(looks);
  if (query.has("cut")) main.querySelector("#cut").scrollIntoView();
}

// Which program is counted, where there is a draft.
export function whichChoice(id, choose) {
  return h("div", {}, h("label", { for: id }, "Counted for"), h("select", { id, onchange: (event) => choose(event.target.value) },
    [["draft", "the draft"], ["program", "the program in use"]].map(([value, text]) => h("option", { value, selected: value === app.which }, text))));
}

async function segments(result, asked) {
  if (!asked.by) {
    show(result, h("p", { class: "note" }, "The table has no other column to make segments of."));
    return;
  }
  show(result, h("p", { class: "quiet" }, `Counting by ${asked.by}, with and without each rule …`));
  try {
    const found = await studio.segments(asked);
    show(result, segmentTable(found, asked), gap(found));
  } catch (error) {
    show(result, problem(error.message));
  }
}

function segmentTable(found, asked) {
  const labelled = found.groups[0]?.wrong;
  const heads = ["segment", "rows", `predicted ${found.label}`, ...(labelled ? [`actually ${found.label}`, "wrong", `wrongly ${found.label}`, `${found.label} missed`] : [])];
  const names = ["predicted", ...(labelled ? ["actual", "wrong", "false_positive", "false_negative"] : [])];
  const rows = (i) => `#rows?${new URLSearchParams({ by: asked.by, segment: i, split: found.split })}`;
  const link = (form, text) => h("a", { href: studio.segmentsFile(form, asked), download: "" }, text);
  return [h("div", { class: "scroll", role: "region", "aria-label": "Segments", tabindex: "0" }, h("table", { class: "segments" },
    h("caption", {}, `${found.split === "all" ? `All ${count(found.n_rows)} rows, as few or none are known to be unseen` : `${count(found.n_rows)} ${SPLITS[found.split]}`}, by ${asked.by}${app.state.draft === null ? "" : found.which === "draft" ? ", by the draft" : ", by the program in use"}; below each share where 95 % of such shares lie`),
    h("thead", {}, h("tr", {}, heads.map((name, i) => h("th", { scope: "col", class: i ? "number" : null }, name)))),
    h("tbody", {}, found.groups.map((group, i) => h("tr", {}, h("th", { scope: "row" }, group.name),
      h("td", { class: "number" }, h("a", { href: rows(i), "aria-label": `The ${count(group.predicted.of)} rows of ${group.name}` }, count(group.predicted.of))),
      names.map((name, j) => shareCell(group[name], heads[j + 2]))))))),
  h("p", { class: "note" }, "Take these along as ", link("csv", "CSV"), ", ", link("xlsx", "Excel"), " or ", link("parquet", "Parquet"), ".")];
}

// A cut-off, or the end of an interval: a number to one digit, whatever it rounds to.
const bound = (share) => `${(100 * share).toFixed(1)} %`;

// A share, its interval below it, and both as a picture: a bar, and a line from end to end of the interval.
function shareCell(share, head) {
  if (!share.of) return h("td", { class: "number share-cell", "data-label": head }, h("span", {}), "–");
  const [low, high] = share.interval;
  return h("td", { class: "number share-cell", "data-label": head }, h("span", { class: "whisker", "aria-hidden": "true", vars: { "--share": share.share, "--low": low, "--high": high } }),
    h("span", {}, ` ${percent(share.share)}`), h("span", { class: "quiet" }, `${bound(low)} to ${bound(high)}`));
}

function gap(found) {
  if (found.groups.length < 2) return h("p", { class: "note" }, "There is one segment only.");
  if (found.highest === found.lowest) return h("section", { class: "card" }, h("p", {}, `There is no difference: the segments that were compared are all predicted ${found.label} alike.`));
  const names = [found.groups[found.highest].name, found.groups[found.lowest].name];
  const points = (share) => `${share > 0 ? "+" : ""}${(100 * share).toFixed(1)} percentage points`;
  return h("section", { class: "card" }, h("h2", {}, "Which rules make the difference"),
    h("p", {}, `${names[0]} is predicted ${found.label} more often than ${names[1]}, by ${points(found.gap).replace("+", "")}. `,
      found.depends === true ? `Two rows that differ in ${found.column} alone can get different labels.`
        : found.depends === false ? `No two rows that differ in ${found.column} alone get different labels: that is proved.` : null),
    h("ul", { class: "plain" }, found.parts.map((part) => h("li", {}, `${points(part.gap)} by rule ${part.rule} (${part.label})`))),
    h("h3", {}, "Without one of them"),
    h("div", { class: "scroll", role: "region", "aria-label": "Without one rule", tabindex: "0" }, h("table", { class: "rules-of-gap" }, h("thead", {}, h("tr", {}, ["rule", "says", "gap without it"].map((name, i) =>
      h("th", { scope: "col", class: i === 2 ? "number" : null }, name)))),
    h("tbody", {}, found.without.slice(0, 8).map((part) => h("tr", {}, h("th", { scope: "row" }, h("a", { href: `#rows?rule=${part.rule}` }, part.rule)),
      h("td", {}, part.says), h("td", { class: "number", "data-label": "gap without it" }, points(part.gap))))))),
    through(found, points),
    h("details", {}, h("summary", {}, "The same as text"), h("pre", {}, found.text)));
}

// What the gap would be if a column said nothing about the segment.
function through(found, points) {
  const shown = found.through.filter((part) => Math.abs(part.gap - found.gap) >= 0.0005).slice(0, 8);
  if (!shown.length) return null;
  return [h("h3", {}, "Without what a column tells about the segment"),
    h("div", { class: "scroll", role: "region", "aria-label": "Without one column", tabindex: "0" }, h("table", {},
      h("thead", {}, h("tr", {}, ["column", "tells the two apart by", "gap without it"].map((name, i) => h("th", { scope: "col", class: i ? "number" : null }, name)))),
      h("tbody", {}, shown.map((part) => h("tr", {}, h("th", { scope: "row" }, part.column), h("td", { class: "number" }, percent(part.apart)), h("td", { class: "number" }, points(part.gap)))))))];
}

async function cutoff(holder, asked) {
  let found;
  try {
    found = await studio.cutoffs({ label: asked.label, split: "held_out", which: asked.which });
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
    const cheapest = cuts.reduce((best, each) => (total(each, costs) < total(best, costs) ? each : best), one);
    slider.setAttribute("aria-valuetext", bound(one.cut));
    show(result,
      h("p", {}, `Decided ${found.label} from a probability of `, h("strong", {}, bound(one.cut)), "."),
      h("div", { class: "two" }, confusion(one, found), figures(one, found, costs, total)),
      cheapest === one ? h("p", {}, "No other cut-off costs less.") : h("p", {}, `Cheapest is a cut-off of ${bound(cheapest.cut)}, with a cost of ${count(total(cheapest, costs))}. `,
        h("button", { type: "button", onclick: () => { slider.value = String(cuts.indexOf(cheapest)); update(); slider.focus(); } }, "Go there"),
        h("span", { class: "quiet" }, " It was found on these very rows, so it flatters a little.")),
      found.can_learn && h("p", {}, "A cut-off moves the probability alone. ", h("button", { type: "button", id: "learn-costs", onclick: () => learnWith(found, costs, holder) }, "Learn again with these costs"), " moves the rules."));
  };
  slider.addEventListener("input", update);
  show(holder, h("p", { class: "quiet" }, `${found.split === "all" ? `All ${count(found.n_rows)} rows` : `${count(found.n_rows)} ${SPLITS[found.split]}`}. The rules decide; a cut-off on the probability of ${found.label} decides a little more strictly or mildly.`),
    found.is_old && h("p", { class: "note" }, "The probabilities were made for the rules before the last edit."),
    h("section", { class: "card fields" }, h("div", { class: "grow" }, h("label", { for: "cut-at" }, "Cut-off"), slider),
      price("cost-false", "1", `Wrongly deciding ${found.label} costs`), price("cost-missed", "1", `Missing a row that is ${found.label} costs`)), result);
  for (const id of ["cost-false", "cost-missed"]) holder.querySelector(`#${id}`).addEventListener("input", update);
  update();
}

// Hand the two prices on to the learner: what a mistake costs on a row that is the one label, or the other.
async function learnWith(found, [wrongly, missed], holder) {
  const priced = Object.entries({ [found.other]: wrongly, [found.label]: missed }).filter(([, cost]) => cost > 0 && cost !== 1);
  try {
    await app.refresh(await studio.change({ learner: "unless", costs: Object.fromEntries(priced) }));
    app.go("learn");
  } catch (error) {
    show(holder, problem(error.message));
  }
}

function confusion(one, found) {
  const other = found.other ?? `not ${found.label}`;
  const cell = (n, right) => h("td", { class: right ? "right" : "wrong" }, h("span", {}, count(n)));
  return h("table", { class: "matrix" }, h("caption", {}, "actual label down, decided label across"),
    h("thead", {}, h("tr", {}, h("td", {}), [found.label, other].map((name) => h("th", { scope: "col", title: name }, name)))),
    h("tbody", {}, h("tr", {}, h("th", { scope: "row", title: found.label }, found.label), cell(one.hits, true), cell(one.missed, false)),
      h("tr", {}, h("th", { scope: "row", title: other }, other), cell(one.false, false), cell(one.right_other, true))));
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
