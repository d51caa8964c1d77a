// The editor: the program's text, what is wrong with it under the caret, and what it would change, while typing.

import { Away, studio } from "./api.js";
import { app } from "./app.js";
import { h, later, problem, show } from "./dom.js";
import { aboutState, keepHere, sendDraft } from "./draft.js";
import { act, draftBar } from "./draft_bar.js";
import { effectPanel } from "./effect.js";
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
  const part = { area, gutter, mark, error, effect, kept, accept };

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
  accept.addEventListener("click", () => act(() => studio.accept(area.value), () => "The draft is the program now."));
  show(main,
    h("h1", {}, "Text"),
    h("div", { class: "editing" },
      h("div", {},
        h("div", { class: "editor" }, gutter, h("div", { class: "pane" }, area, mark)),
        error,
        h("p", { class: "buttons" }, accept, kept)),
      effect));
  number(part);
  await check(part);
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
    if (error.status === 409) {
      part.kept.textContent = "changed in another tab: kept in this browser only; copy what you need, then look again";
      show(part.effect, problem(error.message), h("button", { type: "button", onclick: async () => { await app.refresh(); await app.redraw(); } }, "Show how it looks now"));
    }
    if (error instanceof Away) {
      part.kept.textContent = "kept in this browser, and sent when the server is back";
      setTimeout(() => { if (part.area.isConnected && part.area.value === text) check(part); }, RETRY);
    }
    return;
  }
  if (part.area.value !== text) return;
  const same = text === app.state.program;
  app.state.draft = same ? null : text;
  app.state.revision = effect.revision;
  draftBar();
  part.kept.textContent = same ? "no changes" : "draft kept";
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
  const title = h("h2", {}, "What would change");
  if (effect.problem) return [title, h("p", { class: "quiet" }, "The text cannot be read yet.")];
  if (same) return [title, h("p", { class: "quiet" }, "Change the text, and see here what follows."), findings(effect.findings)];
  if (!effect.comparison) return [title, h("p", { class: "quiet" }, "Open a table to see it."), findings(effect.findings)];
  return [title, ...effectPanel(effect, "text"), findings(effect.findings)];
}
