// Learning: how, under which constraints, with which rows kept apart; watched while it runs, and stopped.

import { studio } from "./api.js";
import { app } from "./app.js";
import { count, h, plural, problem, say, show } from "./dom.js";
import { constraints } from "./constraints.js";
import { GETTING_READY, progressShare, progressText } from "./learning_text.js";
import { sizesPicture } from "./sizes.js";

const EVERY = 150;
const FEW = 1000; // of fewer rows, a quarter kept apart says little
const LEARNERS = { unless: "Few rules, optimised together (Unless)", "fold-r++": "Rule after rule (FOLD-R++)" };
const APART = { share: "at random, of each label alike", newest: "the newest, by a column", groups: "whole groups of a column", folds: "none for good: five folds" };

const priceOf = (slider) => String(Number((2 ** Number(slider.value)).toFixed(2)));

export async function learnScreen(main) {
  const { settings, n_rows: nRows } = app.state;
  const { columns } = await studio.columns();
  if (!app.shows("learn")) return;
  const messages = h("div", { "aria-live": "polite" });
  const sizes = h("div", {});
  const change = async (changes, again = false) => {
    try {
      await app.refresh(await studio.change(changes));
      if (again && app.shows("learn")) await learnScreen(main);
    } catch (error) {
      show(messages, problem(error.message));
    }
  };
  const target = columns.find(({ name }) => name === settings.target);
  const isUnless = settings.learner === "unless";
  const learn = h("button", { type: "button", class: "primary", id: "learn", onclick: () => run(studio.learn, messages, [learn, all]) },
    app.state.n_locked && isUnless && settings.keep_locked ? `Learn again around ${plural(app.state.n_locked, "locked rule")}` : "Learn the rules");
  // Programs of all sizes tell one label from the rest.
  const many = target?.n_labels > 2 && settings.positive === null;
  const all = isUnless && !many && h("button", { type: "button", id: "all-sizes", onclick: () => run(studio.learnSizes, messages, [learn, all], sizes) }, "Programs of all sizes");
  const used = columns.filter(({ name, usable, left_out: out }) => usable && !out && name !== settings.target && (isUnless || !settings.forbidden.includes(name))).length;
  show(main,
    h("h1", {}, "Learn"),
    h("p", { class: "lead" }, "Rules that tell when ", h("strong", {}, settings.target), " is ", concluded(settings, target), ", from ", plural(used, "column"), ". ",
      h("a", { href: "#columns" }, "Change")),
    h("section", { class: "card fields" },
      field("learner", "How", h("select", { id: "learner", onchange: (event) => change({ learner: event.target.value }, true) },
        options(Object.entries(LEARNERS), settings.learner))),
      isUnless ? sizeField(settings, change) : ratioField(settings, change)),
    apartFields(settings, columns, nRows, change),
    isUnless ? constraints(settings, columns, target, change) : unkept(settings),
    h("p", { class: "buttons" }, learn, all),
    isUnless && many && h("p", { class: "note" }, "To see programs of all sizes, choose under ", h("a", { href: "#columns" }, "Columns"), " which label the rules conclude."),
    messages, sizes);
  await sizesPicture(sizes);
  // Asked now: a click may have come while the screen was drawn, and what it began may have ended since.
  const { stage, what } = await studio.learning();
  const ended = stage === "done" && (app.state.learning.stage === "running" || (what === "sizes" && !sizes.hasChildNodes()));
  if (stage === "running" || ended) watch(messages, [learn, all], sizes);
}

// What FOLD-R++ does not keep to, where it was asked for.
function unkept({ directions, never_together: pairs }) {
  const asked = Object.keys(directions).length + pairs.length;
  return asked > 0 && h("p", { class: "note" }, `FOLD-R++ keeps to columns left out and forbidden, not to the ${asked === 1 ? "direction or pair" : "directions and pairs"} asked for; learn few rules, optimised together, to keep to all.`);
}

const field = (id, text, input, ...more) => h("div", {}, h("label", { for: id }, text), input, ...more);
const options = (pairs, chosen) => pairs.map(([value, text]) => h("option", { value, selected: value === chosen }, text));

function concluded(settings, target) {
  if (settings.positive !== null) return h("strong", {}, settings.positive);
  const labels = target?.labels ?? [];
  if (target?.n_labels === 2) return h("strong", {}, labels[labels.length - 1].word);
  return `each of its ${count(target?.n_labels ?? 0)} labels but the commonest`;
}

function sizeField(settings, change) {
  const priced = h("output", { for: "size" });
  const size = h("input", { id: "size", type: "range", min: "-2", max: "3", step: "0.5", value: String(Math.log2(settings.size_penalty)),
    "aria-describedby": "size-note", oninput: () => { priced.textContent = priceOf(size); }, onchange: () => change({ size_penalty: Number(priceOf(size)) }) });
  priced.textContent = priceOf(size);
  return h("div", {}, h("label", { for: "size" }, "Price of a condition: ", priced), size,
    h("p", { class: "note", id: "size-note" }, "What a condition costs, against the errors that it mends. More: a shorter program."));
}

function ratioField(settings, change) {
  const shown = h("output", { for: "ratio" }, String(settings.ratio));
  const ratio = h("input", { id: "ratio", type: "range", min: "0", max: "1", step: "0.05", value: String(settings.ratio), "aria-describedby": "ratio-note",
    oninput: () => { shown.textContent = ratio.value; }, onchange: () => change({ ratio: Number(ratio.value) }) });
  return h("div", {}, h("label", { for: "ratio" }, "Exceptions: ", shown), ratio, h("p", { class: "note", id: "ratio-note" },
    "How many rows of the other label a rule may leave to its exceptions, per row that it gets right. Less: longer rules with fewer exceptions."));
}

function apartFields(settings, columns, nRows, change) {
  const byColumn = settings.how_apart === "newest" || settings.how_apart === "groups";
  const fits = columns.filter(({ usable, kind, name }) => usable && name !== settings.target && (settings.how_apart === "groups" || kind === "numerical"));
  return h("section", { class: "card fields" },
    field("apart", "Rows kept apart, to test the rules on", h("select", { id: "apart", onchange: (event) => {
      const how = event.target.value;
      const kind = how === "newest" ? fitsFirst(columns, settings, "numerical") : how === "groups" ? fitsFirst(columns, settings, "categorical") : null;
      change({ how_apart: how, apart_column: kind }, true);
    } }, options(Object.entries(APART), settings.how_apart))),
    byColumn && field("apart-column", settings.how_apart === "newest" ? "by the column" : "of the column", h("select", { id: "apart-column",
      onchange: (event) => change({ apart_column: event.target.value }) }, options(fits.map(({ name }) => [name, name]), settings.apart_column))),
    settings.how_apart !== "folds" && field("held", "how many", h("select", { id: "held", onchange: (event) => change({ held_out: Number(event.target.value) }) },
      options([0, 0.1, 0.2, 0.25, 0.3, 0.5].map((share) => [String(share), share ? `${share * 100} %: ${count(Math.round(nRows * share))} rows` : "none"]), String(settings.held_out)))),
    settings.how_apart !== "folds" && nRows < FEW && h("p", { class: "note" }, "There are few rows: of five folds each row is unseen once, so the figures are less by chance."),
    settings.how_apart === "folds" && h("p", { class: "note" }, "Rules are learned from all rows. Programs are learned alike from four fifths, five times, so that each row is once unseen: it takes about six times as long."));
}

const fitsFirst = (columns, settings, kind) => (columns.find((column) => column.usable && column.kind === kind && column.name !== settings.target)
  ?? columns.find((column) => column.usable && column.name !== settings.target))?.name ?? null;

async function run(start, messages, buttons, sizes) {
  try {
    await start();
    await watch(messages, buttons, sizes);
  } catch (error) {
    show(messages, problem(error.message));
  }
}

async function watch(messages, buttons, sizes) {
  const able = (on) => buttons.filter(Boolean).forEach((button) => { button.disabled = !on; });
  able(false);
  const bar = h("progress", { max: "1", "aria-label": "How much of it is done" });
  const line = h("p", { class: "quiet", id: "progress" }, GETTING_READY);
  const stop = h("button", { type: "button", id: "stop", onclick: () => studio.stop() }, "Stop");
  show(messages, h("section", { class: "card" }, bar, line, stop));
  let learning = await studio.learning();
  while (learning.stage === "running" && messages.isConnected) {
    const share = progressShare(learning);
    if (share === null) bar.removeAttribute("value");
    else bar.value = share;
    line.textContent = progressText(learning);
    stop.textContent = learning.stopping ? "Do not wait" : "Stop";
    await new Promise((resolve) => { setTimeout(resolve, EVERY); });
    learning = await studio.learning();
  }
  able(true);
  if (!messages.isConnected) {
    await app.refresh(); // the note in the corner goes on
    return;
  }
  await app.refresh();
  if (learning.stage === "done" && learning.what === "sizes") {
    show(messages);
    await sizesPicture(sizes);
  } else if (learning.stage === "done") {
    say(learning.cut_short ? "Stopped: these are the best rules so far." : `Learned in ${learning.seconds < 0.1 ? "less than 0.1" : learning.seconds.toFixed(1)} s.`);
    app.go("rules");
  } else if (learning.stage === "stopped") {
    show(messages, h("p", { class: "note" }, "Stopped. Nothing was changed."));
  } else if (learning.stage === "failed") {
    show(messages, problem(learning.error || "Learning failed; the terminal in which the studio runs says more."));
  }
}
