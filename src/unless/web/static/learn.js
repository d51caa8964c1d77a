// Learning, watched while it runs.

import { studio } from "./api.js";
import { app } from "./app.js";
import { count, h, plural, problem, say, show } from "./dom.js";

const EVERY = 150;
const GETTING_READY = "Getting ready …";
const WAITING = { compiling: "Compiling the learner, once on this machine …" };
const LEARNERS = { unless: "Few rules, optimised together (Unless)", "fold-r++": "Rule after rule (FOLD-R++)" };

const priceOf = (slider) => String(Number((2 ** Number(slider.value)).toFixed(2)));

export async function learnScreen(main) {
  const { settings, n_rows: nRows } = app.state;
  const messages = h("div", { "aria-live": "polite" });
  const ratio = h("input", { id: "ratio", type: "range", min: "0", max: "1", step: "0.05", value: String(settings.ratio),
    "aria-describedby": "ratio-note", oninput: () => { shown.textContent = ratio.value; },
    onchange: () => change({ ratio: Number(ratio.value) }) });
  const shown = h("output", { for: "ratio" }, String(settings.ratio));
  const size = h("input", { id: "size", type: "range", min: "-2", max: "3", step: "0.5", value: String(Math.log2(settings.size_penalty)),
    "aria-describedby": "size-note", oninput: () => { priced.textContent = priceOf(size); },
    onchange: () => change({ size_penalty: Number(priceOf(size)) }) });
  const priced = h("output", { for: "size" }, priceOf(size));
  const learner = h("select", { id: "learner", onchange: async () => { await change({ learner: learner.value }); fit(); } },
    Object.entries(LEARNERS).map(([name, shownAs]) => h("option", { value: name, selected: name === settings.learner }, shownAs)));
  const held = h("select", { id: "held", onchange: () => change({ held_out: Number(held.value) }) },
    [0, 0.1, 0.2, 0.25, 0.3, 0.5].map((share) => h("option", { value: share, selected: share === settings.held_out },
      share ? `${share * 100} %: ${count(Math.round(nRows * share))} rows` : "none")));
  const change = async (changes) => {
    try {
      await app.refresh(await studio.change(changes));
    } catch (error) {
      show(messages, problem(error.message));
    }
  };
  const used = app.state.n_columns - 1 - settings.left_out.filter((name) => name !== settings.target).length;
  const button = h("button", { type: "button", class: "primary", id: "learn", onclick: () => run(messages, button) }, "Learn the rules");
  const ratioField = h("div", {}, h("label", { for: "ratio" }, "Exceptions: ", shown), ratio,
    h("p", { class: "note", id: "ratio-note" },
      "How many rows of the other label a rule may leave to its exceptions, per row that it gets right. ",
      "Less: longer rules with fewer exceptions."));
  const sizeField = h("div", {}, h("label", { for: "size" }, "Price of a rule: ", priced), size,
    h("p", { class: "note", id: "size-note" }, "What a condition costs, against the errors that it mends. More: a shorter program."));
  const fit = () => {
    ratioField.hidden = learner.value !== "fold-r++";
    sizeField.hidden = learner.value !== "unless";
  };
  fit();
  show(main,
    h("h1", {}, "Learn"),
    h("p", { class: "lead" }, "Rules that tell when ", h("strong", {}, settings.target), " is ",
      settings.positive === null ? "its rarer label" : h("strong", {}, settings.positive), ", from ", plural(used, "column"), ". ",
      h("a", { href: "#columns" }, "Change")),
    h("section", { class: "card fields" },
      h("div", {}, h("label", { for: "held" }, "Rows held out, to test the rules on"), held),
      h("div", {}, h("label", { for: "learner" }, "How"), learner),
      ratioField, sizeField),
    h("p", {}, button),
    messages);
  if (app.state.learning.stage === "running") watch(messages, button);
}

async function run(messages, button) {
  try {
    await studio.learn();
    await watch(messages, button);
  } catch (error) {
    show(messages, problem(error.message));
  }
}

function progressText(learning) {
  if (learning.waiting_for) return WAITING[learning.waiting_for];
  const soFar = `${plural(learning.n_rules, "rule")} so far, `;
  const seconds = `${learning.seconds.toFixed(1)} s`;
  if (learning.n_errors !== null) {
    return `${soFar}${count(learning.n_errors)} rows still predicted wrongly, ${seconds}. Stop keeps the best so far.`;
  }
  if (!learning.n_all) return GETTING_READY;
  return `${soFar}${count(learning.n_left)} of ${count(learning.n_all)} rows still to explain, ${seconds}`;
}

async function watch(messages, button) {
  button.disabled = true;
  const bar = h("progress", { max: "1", "aria-label": "Share of the rows that rules cover" });
  const line = h("p", { class: "quiet", id: "progress" }, GETTING_READY);
  const stop = h("button", { type: "button", id: "stop", onclick: () => studio.stop() }, "Stop");
  show(messages, h("section", { class: "card" }, bar, line, stop));
  let learning = await studio.learning();
  while (learning.stage === "running" && messages.isConnected) {
    if (learning.n_all) bar.value = 1 - learning.n_left / learning.n_all;
    line.textContent = progressText(learning);
    await new Promise((resolve) => { setTimeout(resolve, EVERY); });
    learning = await studio.learning();
  }
  button.disabled = false;
  if (!messages.isConnected) return;
  await app.refresh();
  if (learning.stage === "done") {
    say(`Learned ${plural(learning.n_rules, "rule")} in ${learning.seconds.toFixed(1)} s.`);
    app.go("rules");
  } else if (learning.stage === "stopped") {
    show(messages, h("p", { class: "note" }, "Stopped. Nothing was changed."));
  } else if (learning.stage === "failed") {
    show(messages, problem(learning.error));
  }
}
