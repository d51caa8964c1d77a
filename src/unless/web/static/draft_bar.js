// The bar under the steps: what is different in the draft, and the buttons to use it, drop it, undo and redo.

import { studio } from "./api.js";
import { app } from "./app.js";
import { h, say, show } from "./dom.js";
import { flipSentence } from "./effect.js";

const bar = document.getElementById("draft");

export async function draftBar() {
  const { state } = app;
  const button = (text, work, done, more) => h("button", { type: "button", ...more, onclick: () => {
    // One at a time: a second click would speak of what is there before the first.
    for (const one of bar.querySelectorAll("button")) one.disabled = true;
    act(work, done).then((answer) => { if (answer === null) draftBar(); });
  } }, text);
  const undo = state.undo !== null && button("Undo", () => studio.undo(), (answer) => `Undone: ${answer.said}`,
    { id: "undo", title: `Undo (Ctrl-Z): ${state.undo}` });
  const redo = state.redo !== null && button("Redo", () => studio.redo(), (answer) => `Done again: ${answer.said}`,
    { id: "redo", title: `Redo (Ctrl-Shift-Z): ${state.redo}` });
  document.body.classList.toggle("with-draft", state.draft !== null);
  if (!undo && !redo && state.draft === null) {
    show(bar);
    return;
  }
  const line = h("p", {}, state.draft === null ? h("span", { class: "quiet" }, state.program ? "No changes." : "There are no rules now.") : "Draft …");
  show(bar, line, h("div", { class: "buttons" },
    state.draft !== null && [
      button("Use the draft", () => studio.accept(state.draft), () => "The draft is the program now.", { class: "primary", id: "use" }),
      button("Drop it", studio.drop, () => "The changes are dropped.", { id: "drop-draft" })],
    undo, redo));
  if (state.draft === null) return;
  try {
    const effect = await studio.effect();
    if (app.state !== state) return;
    bar.querySelector("#use").disabled = effect.problem !== null;
    show(line, h("strong", {}, "Draft. "), effect.problem ? "Its text cannot be read yet; the rules shown are those in use." : [
      h("span", { class: "said-in-short" }, `${effect.said.slice(0, 2).join(" ")} `, effect.said.length > 2 && `And ${effect.said.length - 2} more. `), flipSentence(effect), effect.splits.length ? "." : null]);
  } catch (error) {
    show(line, error.message);
  }
}

export async function act(work, done) {
  try {
    const answer = await work();
    await app.refresh(answer.state ?? answer);
    await app.redraw();
    say(done(answer));
    return answer;
  } catch (error) {
    await app.noticed(error);
    return null;
  }
}
