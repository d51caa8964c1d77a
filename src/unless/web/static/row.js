// One row: its predicted label, the reasons for and against, and what would be predicted if a value were another.

import { studio } from "./api.js";
import { app } from "./app.js";
import { h, later, percent, problem, say, show } from "./dom.js";
import { recourse } from "./recourse.js";

let current = null;

export async function rowPanel(aside, number) {
  if (number === null) {
    current = null;
    aside.hidden = true;
    document.body.classList.remove("with-row");
    show(aside);
    return;
  }
  const row = await studio.row(number).catch((error) => ({ problem: error.message }));
  const close = h("button", { type: "button", class: "close", "aria-label": "Close the row", onclick: () => app.alter({ row: null }) }, "×");
  aside.hidden = false;
  document.body.classList.add("with-row");
  if (row.problem) {
    show(aside, close, problem(row.problem));
    return;
  }
  const verdict = h("div", { class: "verdict", "aria-live": "polite" });
  const reasons = h("div", {});
  const parts = { verdict, reasons };
  show(aside, close, h("h2", { tabindex: "-1" }, `Row ${row.row}`, row.named && h("span", { class: "quiet" }, ` ${row.named}`)), verdict, reasons, byDraft(row), recourse(row), whatIf(row, parts), takeAlong(row));
  showVerdict(parts, row.predicted, row.predicted, row);
  if (current !== number) aside.querySelector("h2").focus({ preventScroll: true });
  current = number;
}

function showVerdict({ verdict, reasons }, predicted, first, row) {
  const changed = predicted.label !== first.label;
  const isItself = predicted === first; // of other values nobody knows what is right
  const wrong = row.actual !== null && String(row.actual) !== String(first.label);
  const truth = row.actual !== null && isItself && h("span", { class: wrong ? "wrong" : "quiet" }, wrong ? ` but is ${row.actual}` : ", which is right");
  const sure = predicted.sure && h("span", { class: "quiet" }, ` (${predicted.sure.label} with a probability of ${percent(predicted.sure.probability)})`);
  show(verdict, h("p", {}, changed ? ["would be predicted ", h("s", {}, String(first.label)), " "] : "predicted ",
    h("strong", { class: changed ? "changed" : null }, String(predicted.label)), truth, sure));
  show(reasons,
    h("section", { class: "why" }, h("h3", {}, "Why"), predicted.short.map((sentence) => h("p", {}, sentence)), points(predicted.awards), howSure(predicted)),
    h("details", { class: "full" }, h("summary", {}, "Every rule, and what stops it"), proof(predicted.reasons),
      predicted.against.length > 0 && [h("h3", {}, "What else might have said so, and does not"), proof(predicted.against)]));
}

// Where the probability comes from.
const howSure = ({ sure }) => sure && sure.sentences.map((sentence) => h("p", { class: "quiet" }, sentence));

function points(awards) {
  if (!awards.length) return null;
  return h("table", { class: "awards" }, h("caption", { class: "hidden" }, "Points of this row"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "points"), h("th", { scope: "col" }, "for"))),
    h("tbody", {}, awards.map(({ points: n, text }) => h("tr", {}, h("td", { class: "number" }, String(n)), h("td", {}, text)))));
}

function takeAlong(row) {
  const keep = async () => {
    try {
      const expect = row.actual ?? String(row.predicted.label);
      await studio.addCheck({ row: row.row, expect: String(expect) });
      say(`Row ${row.row} is a test now: ${expect} is expected.`);
    } catch (error) {
      say(error.message);
    }
  };
  return h("p", { class: "buttons" }, h("a", { class: "button", href: `/api/studio/rows/${row.row}/letter.txt`, download: "" }, "Letter"),
    h("button", { type: "button", onclick: keep }, "Keep as a test"));
}

// What the draft in the editor predicts for the row, and why.
function byDraft(row) {
  const draft = row.predicted_by_draft;
  if (!draft) return null;
  const same = draft.label === row.predicted.label;
  return h("section", { class: "by-draft why" }, h("h3", {}, "With the draft"),
    h("p", {}, same ? "still predicted " : "would be predicted ", h("strong", { class: same ? null : "changed" }, String(draft.label))),
    draft.short.map((sentence) => h("p", {}, sentence)), points(draft.awards), howSure(draft));
}

// Sentences with a depth, as nested lists.
function proof(sentences) {
  const root = h("ul", { class: "proof" });
  const lists = [root];
  for (const sentence of sentences) {
    const depth = Math.min(sentence.depth, lists.length - 1);
    lists.length = depth + 1;
    const mark = sentence.again ? "again" : sentence.holds === null ? "fact" : sentence.holds ? "yes" : "no";
    const below = h("ul", {});
    const word = { yes: "Yes: ", no: "No: " }[mark];
    const item = h("li", { class: mark }, word && h("span", { class: "hidden" }, word), sentence.text, below);
    lists[depth].append(item);
    lists.push(below);
  }
  root.querySelectorAll("ul:empty").forEach((list) => list.remove());
  return root;
}

function whatIf(row, parts) {
  const tested = [...row.used, ...row.graded];
  const names = [...tested, ...Object.keys(row.values).filter((name) => !tested.includes(name))];
  const values = { ...row.texts };
  const messages = h("div", { "aria-live": "polite" });
  const ask = later(100, async () => {
    try {
      const changed = Object.entries(values).some(([name, text]) => text !== row.texts[name]);
      const sent = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, text === "" ? null : text === row.texts[name] && !row.readings[name] ? row.values[name] : text]));
      const predicted = changed ? await studio.whatIf(sent) : row.predicted;
      showVerdict(parts, predicted, row.predicted, row);
      show(messages, (predicted.warnings ?? []).map((said) => h("p", { class: "note" }, said)));
    } catch (error) {
      show(messages, problem(error.message));
    }
  });
  const fields = names.map((name, i) => {
    const original = row.texts[name];
    const list = row.words[name].length ? `words-${i}` : null;
    const input = h("input", { id: `value-${i}`, value: original, list, placeholder: row.readings[name] || "missing", autocomplete: "off",
      inputmode: row.kinds[name] === "numerical" && !list ? "decimal" : null,
      oninput: () => {
        values[name] = input.value;
        input.classList.toggle("changed", input.value !== original);
        ask();
      } });
    return { input, original, reset: () => { input.value = original; values[name] = original; input.classList.remove("changed"); },
      element: h("div", { class: tested.includes(name) ? null : "unused" }, h("label", { for: `value-${i}` }, name), input,
        list && h("datalist", { id: list }, row.words[name].map((word) => h("option", { value: word })))) };
  });
  const reset = h("button", { type: "button", onclick: () => {
    fields.forEach((field) => field.reset());
    ask();
  } }, "Back to the row as it is");
  const unused = fields.slice(tested.length);
  return h("section", { class: "whatif" }, h("h3", {}, "Its values. What if one were another?"),
    h("div", { class: "values" }, fields.slice(0, tested.length).map((field) => field.element)),
    unused.length > 0 && h("details", {}, h("summary", {}, `${unused.length} more that neither a rule nor points test`),
      h("div", { class: "values" }, unused.map((field) => field.element))),
    messages, h("p", {}, reset));
}
