// The columns: what each holds, how it is read, and which one is to be predicted.

import { studio } from "./api.js";
import { app } from "./app.js";
import { labelPicture } from "./label_picture.js";
import { count, h, later, percent, plural, problem, say, show } from "./dom.js";

export async function columnsScreen(main) {
  const { columns, label, label_share: usual } = await studio.columns();
  if (!app.shows("columns")) return;
  const { settings, origin, n_rows: nRows } = app.state;
  const messages = h("div", {});
  const change = async (changes, what) => {
    try {
      await app.refresh(await studio.change(changes));
      if (app.shows("columns")) await columnsScreen(main);
      say(what);
    } catch (error) {
      show(messages, problem(error.message));
    }
  };
  show(main,
    h("h1", {}, "Columns"),
    h("p", { class: "quiet" }, `${origin.name}: ${plural(nRows, "row")}, ${plural(columns.length, "column")}. `, origin.note,
      origin.labelled_in && ` Rows without a label in ${origin.labelled_in} are left out; the others are numbered without them.`),
    target(columns, settings, change),
    unlabelled(columns.find(({ name }) => name === settings.target), settings, nRows, change, async () => {
      try {
        await app.refresh(await studio.labelled());
        await columnsScreen(main);
        say("Rows without a label are left out.");
      } catch (error) {
        show(messages, problem(error.message));
      }
    }),
    messages,
    h("div", { class: "scroll", role: "region", "aria-label": "Columns", tabindex: "0" },
      h("table", { class: "columns" },
        h("caption", { class: "hidden" }, "The columns of the table"),
        h("thead", {}, h("tr", {}, ["Column", "Kind", "Distinct", "Missing", "What it holds", ...(label === null ? [] : [`Share of ${label} (of all ${percent(usual)})`]), "Use"].map((name) =>
          h("th", { scope: "col", class: name === "Distinct" || name === "Missing" ? "number" : null }, name)))),
        h("tbody", {}, columns.map((column) => columnRow(column, settings, nRows, change, label, usual))))),
    missing(settings, change),
    h("p", {}, h("a", { class: "button primary", href: "#learn" }, "Go on to learning")));
}

function target(columns, settings, change) {
  const chosen = columns.find((column) => column.name === settings.target);
  const labels = chosen?.labels ?? [];
  const targetSelect = h("select", { id: "target", onchange: (event) =>
    change({ target: event.target.value }, `${event.target.value} is to be predicted.`) },
  columns.filter((column) => column.usable).map((column) => option(column.name, column.name === settings.target)));
  const positiveSelect = h("select", { id: "positive", onchange: (event) =>
    change({ positive: event.target.value }, `Rules will conclude ${event.target.value}.`) },
  settings.positive === null ? option("", true, chosen?.n_labels > 2 ? "each label" : `the rarer: ${labels.at(-1)?.word ?? ""}`) : null,
  labels.map(({ word, n }) => option(word, word === settings.positive, `${word} (${count(n)} rows)`)));
  const many = chosen && chosen.n_labels > 2;
  return h("section", { class: "card fields" },
    h("div", {}, h("label", { for: "target" }, "Predict"), targetSelect),
    h("div", {}, h("label", { for: "positive" }, "Rules conclude"), positiveSelect),
    many && h("p", { class: "note" }, settings.positive === null
      ? `There are ${count(chosen.n_labels)} labels: rules are learned for each, in order; or choose one to tell from all others.`
      : `There are ${count(chosen.n_labels)} labels: rules tell this one from all others.`));
}

// Labels that are blank, or look as if they meant missing: nothing can be learned from those rows.
function unlabelled(chosen, settings, nRows, change, leaveOut) {
  if (!chosen) return null;
  const words = (chosen.perhaps_missing ?? []).filter((word) => !settings.missing.includes(word));
  const n = chosen.n_unlabelled ?? 0;
  if (n === nRows || (!n && !words.length)) return null;
  return h("section", { class: "card unlabelled" },
    words.length > 0 && h("p", {}, `${words.join(", ")} in ${chosen.name} may mean that there is no label. `,
      fix(`Take ${words.join(", ")} as missing`, () => change({ missing: [...settings.missing, ...words] }, `These words mean missing: ${words.join(", ")}.`))),
    n > 0 && h("p", {}, `${plural(n, "row")} ${n === 1 ? "has" : "have"} no label in ${chosen.name}; rules are learned from rows with one. `, fix(`Leave out ${plural(n, "row")}`, leaveOut)));
}

function option(value, selected, text) {
  return h("option", { value, selected }, text ?? value);
}

function columnRow(column, settings, nRows, change, label, usual) {
  const { name } = column;
  const isTarget = name === settings.target;
  const kind = h("select", { "aria-label": `Kind of ${name}`, disabled: !column.usable || isTarget,
    onchange: (event) => change({ kinds: { [name]: event.target.value } }, `${name} is read as ${event.target.value}.`) },
  ["numerical", "categorical"].map((one) => option(one, one === column.kind)));
  const use = h("input", { type: "checkbox", "aria-label": `Use ${name}`, checked: !column.left_out,
    disabled: !column.usable || isTarget, onchange: (event) => {
      const others = settings.left_out.filter((one) => one !== name);
      change({ left_out: event.target.checked ? others : [...others, name] },
        event.target.checked ? `${name} is used.` : `${name} is left out.`);
    } });
  const share = nRows && column.n_missing ? ` (${(100 * column.n_missing / nRows).toFixed(1)} %)` : "";
  return h("tr", { class: column.left_out ? "out" : null },
    h("th", { scope: "row" }, name, isTarget && h("span", { class: "badge" }, "target")),
    h("td", {}, kind, column.reading && h("span", { class: "badge" }, column.reading), column.n_words > 0 && column.n_numbers > 0 && h("span", { class: "badge" }, "mixed")),
    h("td", { class: "number", "data-label": "distinct" }, column.usable ? count(column.n_distinct) : ""),
    h("td", { class: "number", "data-label": "missing" }, column.usable ? count(column.n_missing) + share : ""),
    h("td", { class: "holding" }, column.usable ? holds(column) : null, column.note && h("p", { class: "note" }, column.note),
      oddities(column, settings, change)),
    label !== null && h("td", { class: "against-label", "data-label": column.bars.length ? `share of ${label}` : null }, column.bars.length > 0 && !(column.odd ?? []).some(({ what }) => what === "identifier") && labelPicture(column, label, usual)),
    h("td", { "data-label": isTarget ? null : "use" }, isTarget ? null : use));
}

// What is odd about a column, as `unless look` says it, with a button where a click mends it.
function oddities(column, settings, change) {
  const { name } = column;
  const words = (column.perhaps_missing ?? []).filter((word) => !settings.missing.includes(word));
  const takeAsMissing = (taken) => fix(`Take ${taken.join(", ")} as missing`, () =>
    change({ missing: [...settings.missing, ...taken] }, `These words mean missing: ${taken.join(", ")}.`));
  // What mends a finding: nothing (null), or it is mended already (false).
  const mend = ({ what, fix: typed }) => {
    const [, number] = typed.split("--missing=");
    if (number) return !settings.missing.includes(number) && takeAsMissing([number]);
    if (what === "missing words") return words.length > 0 && takeAsMissing(words);
    if (what === "code") return column.kind === "numerical" && (typed === "" ? null : fix(`Take ${name} as words`, () =>
      change({ kinds: { [name]: "categorical" } }, `${name} is read as categorical.`)));
    return null;
  };
  const shown = (column.odd ?? []).map((found) => ({ ...found, button: mend(found) })).filter(({ button }) => button !== false);
  return shown.map(({ what, evidence, button }) => h("p", { class: "note" }, evidence,
    what === "identifier" && (column.left_out ? ": it names its rows and is left out, until you tick Use" : ": it names its rows"),
    ". ", button));
}

function fix(text, onclick) {
  return h("button", { type: "button", onclick }, text);
}

// A small histogram of the numbers, and the most frequent words as bars.
function holds(column) {
  const most = Math.max(...column.numbers, 1);
  const bars = column.numbers.map((n) =>
    h("i", { vars: { "--share": n ? Math.max(0.06, n / most) : 0 } }));
  const range = `numbers from ${column.low} to ${column.high}`;
  const histogram = column.n_numbers > 0 && h("div", { class: "histogram", role: "img", "aria-label": `Histogram of ${range}` },
    h("div", { class: "bars" }, bars), h("span", {}, column.low), h("span", {}, column.high));
  const shown = column.words.slice(0, column.n_numbers ? 3 : 5);
  const top = shown.length ? shown[0].n : 1;
  const words = shown.length > 0 && h("ul", { class: "words" }, shown.map(({ word, n }) =>
    h("li", { vars: { "--share": n / top } }, h("span", {}, word), h("b", {}, count(n)))),
  column.n_distinct_words > shown.length && h("li", { class: "more" }, `and ${count(column.n_distinct_words - shown.length)} more`));
  return h("div", { class: "holds" }, histogram, words);
}

function missing(settings, change) {
  const input = h("input", { id: "missing", value: settings.missing.join(", "), placeholder: "for instance ?, NA",
    oninput: later(600, () => {
      const words = input.value.split(",").map((word) => word.trim()).filter(Boolean);
      change({ missing: words }, words.length ? `These words mean missing: ${words.join(", ")}.` : "No word means missing.");
    }) });
  return h("section", { class: "card fields" }, h("div", {}, h("label", { for: "missing" }, "Words that mean missing"), input),
    h("p", { class: "note" }, "Empty cells are always missing."));
}
