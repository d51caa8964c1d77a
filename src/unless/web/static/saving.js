// The menu of what can be taken along.

import { download, studio } from "./api.js";
import { app } from "./app.js";
import { count, h, problem, say, show } from "./dom.js";

export function saving() {
  const { state } = app;
  const link = (path, text) => h("li", {}, h("a", { href: `/api/studio/${path}`, download: "" }, text));
  const save = async () => {
    try {
      const { saved } = await studio.save();
      say(`Saved to ${saved}.`);
    } catch (error) {
      say(error.message);
    }
  };
  const items = [
    state.save_to && h("li", {}, h("button", { type: "button", onclick: save }, `Save to ${state.save_to}`)),
    link("program.lp", "Download the program"),
    state.origin && link("report.html", "Download the HTML report"),
    state.origin && h("li", {}, h("button", { type: "button", onclick: () => { menu.open = false; predictionsDialog(); } }, "Download the predictions …")),
    state.origin && link("project.json", "Download the project"),
  ];
  const menu = h("details", { class: "menu" }, h("summary", {}, "Save"), h("ul", {}, items.filter(Boolean)));
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  return menu;
}

async function predictionsDialog() {
  const { columns } = await studio.columns();
  const form = { form: "csv", id_column: null, columns: false, probability: true, rule: true, reason: false, split: "all" };
  const box = (name, text) => h("li", {}, h("label", {}, h("input", { type: "checkbox", checked: form[name], onchange: (event) => { form[name] = event.target.checked; } }), text));
  const select = (name, text, options) => h("p", {}, h("label", { for: `take-${name}` }, text), " ", h("select", { id: `take-${name}`,
    onchange: (event) => { form[name] = event.target.value || null; } }, options.map(([value, shown]) => h("option", { value }, shown))));
  const said = h("p", { class: "quiet", "aria-live": "polite" });
  const leaving = new AbortController();
  const take = h("button", { type: "button", class: "primary", onclick: async () => {
    take.disabled = true;
    show(said, `Writing ${count(app.state.n_rows)} rows … Close stops it.`);
    try {
      await download(studio.predictions(form), `predictions.${form.form}`, leaving.signal);
      show(said, "Done.");
    } catch (error) {
      if (!leaving.signal.aborted) show(said, problem(error.message));
    }
    take.disabled = false;
  } }, "Download");
  const dialog = h("dialog", { class: "card", "aria-labelledby": "take-title" }, h("h2", { id: "take-title" }, "Predictions"),
    select("form", "File", [["csv", "CSV"], ["xlsx", "Excel (.xlsx)"], ["parquet", "Parquet"]]),
    select("split", "Rows", [["all", "all rows"], ["held_out", "unseen rows"], ["training", "rows learned from"]]),
    select("id_column", "Name rows by", [["", "their number"], ...columns.filter((c) => c.usable).map((c) => [c.name, c.name])]),
    h("ul", { class: "plain" }, box("columns", "the original columns"), box("probability", "the probability"), box("rule", "the rule that decided"),
      box("reason", "the reason in short (slow for many rows)")),
    said, h("p", { class: "buttons" }, take, h("button", { type: "button", onclick: () => dialog.close() }, "Close")));
  dialog.addEventListener("close", () => { leaving.abort(); dialog.remove(); });
  document.body.append(dialog);
  dialog.showModal();
}
