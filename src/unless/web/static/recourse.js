// What would change a row's label: the cheapest changes, with what cannot change left alone.

import { studio } from "./api.js";
import { app } from "./app.js";
import { h, problem, show } from "./dom.js";
import { whichChoice } from "./affected.js";

export function recourse(row) {
  const draft = row.predicted_by_draft;
  const of = () => (draft && app.which === "draft" ? draft : row.predicted);
  const want = h("select", { id: "want" });
  const offer = () => show(want, row.labels.filter((label) => label !== String(of().label)).map((label) => h("option", { value: label }, label)));
  offer();
  const frozen = new Set();
  const result = h("div", { "aria-live": "polite" });
  const ask = h("button", { type: "button", id: "ways", onclick: async () => {
    ask.disabled = true;
    show(result, h("p", { class: "quiet" }, "Looking …"));
    try {
      show(result, ...answer(await studio.recourse(row.row, { want: want.value, frozen: [...frozen], which: draft ? app.which : "program" }), want.value));
    } catch (error) {
      show(result, problem(error.message));
    }
    ask.disabled = false;
  } }, "Look");
  return h("details", { class: "recourse" }, h("summary", {}, "What would change it"),
    draft && whichChoice("which-recourse", (which) => { app.which = which; offer(); show(result); }),
    h("p", {}, h("label", { for: "want" }, "so that it is "), want, " ", ask),
    row.used.length > 0 && h("fieldset", { class: "choice" }, h("legend", {}, "cannot change"), row.used.map((name) => h("label", {}, h("input", { type: "checkbox",
      onchange: (event) => { if (event.target.checked) frozen.add(name); else frozen.delete(name); } }), name))),
    result);
}

function answer(found, want) {
  if (found.verdict === "no") return [h("p", {}, `No allowed change gives ${want}: that is proved.`)];
  if (found.verdict !== "yes") return [h("p", {}, "Not decided within the time.")];
  return [h("ol", { class: "ways" }, found.ways.map((way) => h("li", {}, way.changes.map((change) => change.condition).join(" and "),
    h("span", { class: "quiet" }, ` (now ${way.changes.map((change) => change.before_text).join(", ")})`))))];
}
