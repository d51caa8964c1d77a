// The menu of what can be taken along.

import { download, studio } from "./api.js";
import { app } from "./app.js";
import { count, h, problem, say, show } from "./dom.js";

export function saving() {
  const { state } = app;
  const link = (path, text) => h("li", {}, h("a", { href: `/api/studio/${path}`, download: "" }, text));
  const refused = h("div", {});
  const save = async () => {
    show(refused);
    try {
      const { saved } = await studio.save();
      say(`Saved to ${saved}.`);
    } catch (error) {
      show(refused, problem(error.message));
    }
  };
  const open = (dialog, text) => h("li", {}, h("button", { type: "button", onclick: () => { menu.open = false; dialog(); } }, text));
  const items = [
    state.save_to && h("li", {}, h("button", { type: "button", onclick: save }, `Save to ${state.save_to}`), refused),
    link("program.lp", "Download the program"),
    state.origin && link("report.html", "Download the HTML report"),
    state.origin && open(predictionsDialog, "Download the predictions …"),
    open(exportDialog, "Export to SQL, Python, … "),
    state.origin && link("project.json", "Download the project"),
    state.draft !== null && h("li", { class: "quiet" }, "Of the program in use; the draft is in the project alone."),
  ];
  const menu = h("details", { class: "menu" }, h("summary", {}, "Save"), h("ul", {}, items.filter(Boolean)));
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  return menu;
}

// A dialog in which something is put together and taken: `address()` says where, `name()` what the file is called.
function takeDialog(title, fields, { doing, address, name }) {
  const said = h("p", { class: "quiet", "aria-live": "polite" });
  const leaving = new AbortController();
  const take = h("button", { type: "button", class: "primary", onclick: async () => {
    take.disabled = true;
    show(said, `${doing()} Close stops it.`);
    try {
      await download(address(), name(), leaving.signal);
      show(said, "Done.");
    } catch (error) {
      if (!leaving.signal.aborted) show(said, problem(error.message));
    }
    take.disabled = false;
  } }, "Download");
  const dialog = h("dialog", { class: "card take", "aria-labelledby": "take-title" }, h("h2", { id: "take-title" }, title),
    app.state.draft !== null && h("p", { class: "note" }, "By the program in use. The draft counts once it is used."),
    fields, said, h("p", { class: "buttons" }, take, h("button", { type: "button", onclick: () => dialog.close() }, "Close")));
  dialog.addEventListener("close", () => { leaving.abort(); dialog.remove(); });
  document.body.append(dialog);
  dialog.showModal();
}

const selectField = (form, name, text, options, changed) => h("p", { class: "pair" }, h("label", { for: `take-${name}` }, text), h("select", { id: `take-${name}`,
  onchange: (event) => { form[name] = event.target.value || null; changed?.(); } }, options.map(([value, shown]) => h("option", { value, selected: value === (form[name] ?? "") }, shown))));
const box = (form, name, text) => h("label", { class: "one" }, h("input", { type: "checkbox", checked: form[name], onchange: (event) => { form[name] = event.target.checked; } }), text);

async function predictionsDialog() {
  const { columns } = await studio.columns();
  // Rows that have a name are called by it.
  const named = columns.find(({ odd }) => odd?.some(({ what }) => what === "identifier"))?.name ?? null;
  const form = { form: "csv", id_column: named, columns: false, probability: true, rule: true, reason: false, split: "all" };
  takeDialog("Predictions", [
    selectField(form, "form", "File", [["csv", "CSV"], ["xlsx", "Excel (.xlsx)"], ["parquet", "Parquet"]]),
    selectField(form, "split", "Rows", [["all", "all rows"], ["held_out", "unseen rows"], ["training", "rows learned from"]]),
    selectField(form, "id_column", "Name rows by", [["", "their number"], ...columns.filter((c) => c.usable).map((c) => [c.name, c.name])]),
    h("fieldset", { class: "boxes" }, h("legend", {}, "With"), box(form, "columns", "the original columns"), box(form, "probability", "the probability"), box(form, "rule", "the rule that decided"),
      box(form, "reason", "the reason in short (slow for many rows)"))],
  { doing: () => `Writing ${count(app.state.n_rows)} rows …`, address: () => studio.predictions(form), name: () => `predictions.${form.form}` });
}

async function exportDialog() {
  const { exports } = await studio.exports();
  const form = { to: "python", table: "data", form: "select", replay: true };
  const chosen = () => exports.find(({ to }) => to === form.to);
  const more = h("div", {});
  const offer = () => {
    const { engine } = chosen();
    form.replay = form.replay && engine !== "";
    show(more, form.to.startsWith("sql:") && [
      h("p", { class: "pair" }, h("label", { for: "take-table" }, "Table"), h("input", { id: "take-table", value: form.table, maxlength: "200", oninput: (event) => { form.table = event.target.value; } })),
      selectField(form, "form", "As", [["select", "a SELECT"], ["view", "a VIEW"], ["expression", "an expression"]])],
    engine ? box(form, "replay", `replay it first on ${engine}, as it is installed here`) : h("p", { class: "note" }, "It cannot be replayed on this machine."));
  };
  offer();
  takeDialog("Export", [h("p", { class: "quiet" }, "The same decisions elsewhere. What an engine decides otherwise is refused."),
    selectField(form, "to", "Write", exports.map(({ to, title }) => [to, title]), offer), more],
  { doing: () => (form.replay ? `Writing, and replaying on ${chosen().engine} …` : "Writing …"), address: () => studio.export(form), name: () => `program${chosen().suffix}` });
}
