// The editor: the program's text, what is wrong with it under the caret, and what it would change, while typing.

import { Away, studio } from "./api.js";
import { app } from "./app.js";
import { count, h, later, lowerIsBetter, metricName, plural, problem, say, show } from "./dom.js";
import { aboutState, keepHere, sendDraft } from "./draft.js";
import { findings } from "./rules.js";

const PAUSE = 200;
const RETRY = 2000;

export async function editScreen(main) {
  const { state } = app;
  const gutter = h("pre", { class: "gutter", "aria-hidden": "true" });
  const mark = h("span", { class: "mark", "aria-hidden": "true", hidden: true });
  const error = h("div", { id: "error", class: "under", "aria-live": "polite" });
  const effect = h("section", { class: "effect", "aria-label": "What would change", "aria-live": "polite" });
  const kept = h("span", { class: "quiet", id: "kept" }, state.draft === null ? "no changes" : "draft kept");
  const area = h("textarea", { id: "text", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
    "aria-label": "The program", "aria-describedby": "error", value: state.draft ?? state.program });
  const accept = h("button", { type: "button", class: "primary", id: "accept", disabled: true }, "Use this program");
  const drop = h("button", { type: "button", id: "drop", disabled: state.draft === null }, "Drop the changes");
  const undo = h("button", { type: "button", id: "undo", disabled: state.n_history === 0 }, "Back to the program before");
  const part = { area, gutter, mark, error, effect, kept, accept, drop };

  const send = later(PAUSE, () => check(part));
  area.addEventListener("input", () => {
    keepHere(aboutState(app.state), area.value);
    kept.textContent = "kept in this browser";
    mark.hidden = true;
    number(part);
    send();
  });
  area.addEventListener("scroll", () => follow(part));
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !accept.disabled) accept.click();
  });
  accept.addEventListener("click", () => act(main, () => studio.accept(area.value), "The program is changed.", effect));
  drop.addEventListener("click", () => act(main, studio.drop, "The changes are dropped.", effect));
  undo.addEventListener("click", () => act(main, studio.undo, "Back to the program before.", effect));
  show(main,
    h("h1", {}, "Edit"),
    h("div", { class: "editing" },
      h("div", {},
        h("div", { class: "editor" }, gutter, h("div", { class: "pane" }, area, mark)),
        error,
        h("p", { class: "buttons" }, accept, drop, undo, kept)),
      effect));
  number(part);
  await check(part);
}

async function act(main, work, done, effect) {
  try {
    await app.refresh(await work());
    await editScreen(main);
    say(done);
  } catch (error) {
    show(effect, problem(error.message));
  }
}

function number({ area, gutter }) {
  const n = area.value.split("\n").length;
  gutter.textContent = Array.from({ length: n }, (_, i) => i + 1).join("\n");
  area.style.setProperty("--lines", n);
}

function follow({ area, gutter, mark }) {
  gutter.scrollTop = area.scrollTop;
  mark.style.setProperty("--x", `${-area.scrollLeft}px`);
  mark.style.setProperty("--y", `${-area.scrollTop}px`);
}

// Keep the text and ask what it would change; while the server is away, try again and again.
async function check(part) {
  const text = part.area.value;
  let effect;
  try {
    effect = await sendDraft(text);
  } catch (error) {
    show(part.effect, problem(error.message));
    if (error instanceof Away) {
      part.kept.textContent = "kept in this browser, and sent when the server is back";
      setTimeout(() => { if (part.area.isConnected && part.area.value === text) check(part); }, RETRY);
    }
    return;
  }
  if (part.area.value !== text) return;
  const same = text === app.state.program;
  app.state.draft = same ? null : text;
  part.kept.textContent = same ? "no changes" : "draft kept";
  part.drop.disabled = same;
  part.accept.disabled = same || effect.problem !== null;
  showProblem(part, effect.problem);
  show(part.effect, ...changes(effect, same));
}

// Show an error under its line, with the caret where it is.
function showProblem(part, found) {
  part.mark.hidden = !found?.line;
  part.area.setAttribute("aria-invalid", found ? "true" : "false");
  if (!found) {
    show(part.error);
    return;
  }
  if (found.line) {
    part.mark.style.setProperty("--line", found.line);
    part.mark.style.setProperty("--column", found.column);
    follow(part);
  }
  show(part.error, h("pre", {}, found.message));
}

function changes(effect, same) {
  if (effect.problem) return [h("h2", {}, "What would change"), h("p", { class: "quiet" }, "The text cannot be read yet.")];
  if (same) return [h("h2", {}, "What would change"), h("p", { class: "quiet" }, "Change the text, and see here what follows."),
    findings(effect.findings)];
  const { comparison } = effect;
  if (!comparison) return [h("h2", {}, "What would change"), h("p", { class: "quiet" }, "Open a table to see it."), findings(effect.findings)];
  return [h("h2", {}, "What would change"), flipText(comparison), measures(comparison.measures), flips(comparison), findings(effect.findings)];
}

function flipText(comparison) {
  const { better = 0, worse = 0 } = comparison.verdicts;
  const n = comparison.n_flips;
  if (!n) return h("p", { class: "flips" }, h("strong", {}, "No row"), " would be predicted otherwise.");
  return h("p", { class: "flips" }, h("strong", {}, `${count(n)} of ${plural(comparison.rows, "row")}`), n === 1 ? " flips: " : " flip: ",
    h("span", { class: "better" }, `${count(better)} for the better`), ", ", h("span", { class: "worse" }, `${count(worse)} for the worse`));
}

function measures(list) {
  if (!list.length) return null;
  return h("table", { class: "measures" }, h("caption", { class: "hidden" }, "Scores before and after"),
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
    })));
}

function flips(comparison) {
  if (!comparison.n_flips) return null;
  const link = (flip) => h("li", { class: flip.verdict }, h("a", { href: `#edit?row=${flip.row}` }, `row ${flip.row}`),
    ` ${flip.before} → ${flip.after}`, flip.verdict === "neither" && h("span", { class: "quiet" }, ` (is ${flip.actual})`));
  return h("div", {}, h("h3", {}, "Rows that flip"), h("ul", { class: "fliplist" }, comparison.flips.map(link)),
    comparison.n_flips > comparison.flips.length && h("p", {}, h("a", { href: "#rows?flips=true" }, `All ${plural(comparison.n_flips, "row")}`)));
}
