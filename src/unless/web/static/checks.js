// Tests: rows with the label expected, and properties proved for all rows, run on the program that is worked on.

import { studio } from "./api.js";
import { app } from "./app.js";
import { count, h, plural, problem, say, show } from "./dom.js";

// What can be written, with columns and a label of this table.
function examples(columns, label) {
  const usable = columns.filter((column) => column.usable && !column.left_out && column.name !== app.state.settings.target);
  const number = usable.find(({ kind }) => kind === "numerical");
  const any = usable.find(({ kind }) => kind === "categorical") ?? number;
  return [any && `never depends on ${any.name}`, number && `${label} only rises with ${number.name}`, number && `nobody with ${number.name} below ${number.low} is ${label}`].filter(Boolean);
}
const MARKS = { passed: "✓", failed: "✗", "not decided": "?" };

export async function checksScreen(main) {
  const [{ columns }, { concluded }] = await Promise.all([studio.columns(), studio.rules(app.split)]);
  if (!app.shows("tests")) return;
  const known = examples(columns, concluded[0]);
  const list = h("div", { "aria-live": "polite" });
  const messages = h("div", {});
  const text = h("input", { id: "property", list: "properties", autocomplete: "off", placeholder: "never depends on …" });
  const draw = (found) => show(list, ...outcomes(found, change));
  const change = async (work, done) => {
    try {
      draw(await work());
      show(messages);
      await app.refresh();
      if (done) say(done);
      return true;
    } catch (error) {
      show(messages, problem(error.message));
      if (error.status === 409) draw(await studio.checks()); // another tab was faster
      return false;
    }
  };
  show(main, h("h1", {}, "Tests"),
    h("p", { class: "lead" }, "What must stay true, whatever you edit: rows with the label that is expected, and properties that are proved for all possible rows."),
    h("form", { class: "card fields", onsubmit: (event) => {
      event.preventDefault();
      change(() => studio.addCheck({ property: text.value }), "The property is checked from now on.").then((added) => { if (added) text.value = ""; });
    } }, h("div", { class: "grow" }, h("label", { for: "property" }, "A property"), text,
      h("datalist", { id: "properties" }, known.map((value) => h("option", { value })))),
    h("button", { type: "submit", class: "primary" }, "Add"),
    h("button", { type: "button", id: "record", onclick: () => change(studio.recordChecks, "Some rows for each rule are tests now.") }, "Take rows of each rule as tests"),
    known.length > 0 && h("p", { class: "note" }, "For instance: ", known.map((value, i) => [i ? " · " : "", h("button", { type: "button", class: "plain-link", onclick: () => { text.value = value; text.focus(); } }, value)]))),
    messages, list);
  show(list, h("p", { class: "quiet" }, "Checking …"));
  await change(studio.checks);
}

function outcomes(found, change) {
  if (!found.checks.length) return [h("p", { class: "note" }, "There is no test yet. Write a property, take rows of each rule, or open a row and keep it as a test.")];
  return [h("p", {}, h("strong", {}, `${count(found.passed)} passed`), `, ${count(found.failed)} failed`, found["not decided"] ? `, ${count(found["not decided"])} not decided` : "",
    " on the ", app.state.draft === null ? "program" : "draft", ". ", h("a", { href: "/api/studio/checks.json", download: "" }, `Download ${plural(found.checks.length, "test")} for unless test`)),
  h("ul", { class: "plain checks" }, found.checks.map((check) => h("li", { class: check.outcome.replace(" ", "-") },
    h("span", { class: "mark", "aria-hidden": "true" }, MARKS[check.outcome]), h("span", { class: "hidden" }, `${check.outcome}: `), h("strong", {}, check.name),
    check.reason && h("p", { class: "quiet" }, check.reason),
    h("button", { type: "button", class: "close", "aria-label": `Remove the test: ${check.name}`, onclick: () => change(() => studio.removeCheck(check.list, check.index, check.called)) }, "×"))))];
}
