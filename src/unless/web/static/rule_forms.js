// Forms for a whole exception or rule: conditions put together one by one, or proposed from the rows that are wrong.

import { studio } from "./api.js";
import { conditionForm } from "./condition_form.js";
import { count, h, plural, problem, ruleName, show } from "./dom.js";

export function exceptionForm(line, rules, apply, cancel) {
  return builder(`An exception to ${ruleName(line.number)}`, rules, () => line.label, (tests) => ({ do: "exception", rule: line.number, tests }), apply, cancel);
}

export function ruleForm(rules, apply, cancel) {
  let label = 0;
  const choice = rules.concluded.length > 1 && h("p", {}, h("label", { for: "rule-label" }, "The rule concludes "), h("select", { id: "rule-label",
    onchange: (event) => { label = Number(event.target.value); } }, rules.concluded.map((name, i) => h("option", { value: String(i) }, name))));
  const title = rules.concluded.length > 1 ? "A new rule" : `A new rule for ${rules.concluded[0]}`;
  return builder(title, rules, () => rules.concluded[label], (tests) => ({ do: "rule", label, tests }), apply, cancel, choice);
}

// Conditions are gathered first; the last Apply sends them all.
function builder(title, rules, label, make, apply, cancel, extra = null) {
  const tests = {};
  const gathered = h("p", { class: "gathered" });
  const next = h("div", {});
  const form = h("div", { class: "card builder", role: "group", "aria-label": title });
  const said = () => show(gathered, Object.keys(tests).length ? `With: ${Object.keys(tests).join(", ")}.` : null);
  const ask = () => show(next, conditionForm({ column: null, label: label(), columns: rules.columns.filter((name) => !(name in tests)), values: null, title,
    edit: (column, values) => make({ ...tests, [column]: values }), apply, cancel }));
  const more = h("button", { type: "button", onclick: () => {
    const column = next.querySelector("select")?.value;
    const inner = next.querySelector("form");
    if (!column) return;
    // The form knows its values; ask it for them without sending.
    inner.dispatchEvent(new CustomEvent("gather", { detail: (values) => { if (values) { tests[column] = values; said(); ask(); } } }));
  } }, "and another condition");
  show(form, extra, gathered, next, h("p", {}, more));
  ask();
  return form;
}

// What the learner proposes for rows at hand: those of a rule, or those that a filter lists.
export function proposalForm(atHand, rules, apply, cancel) {
  const form = h("div", { class: "card builder", role: "group", "aria-label": "Proposals" });
  show(form, h("p", { class: "quiet", role: "status" }, "The learner looks for conditions …"));
  studio.proposals(atHand).then((found) => {
    const number = found.rule;
    const isRule = number === "else";
    const what = isRule ? `${plural(found.n_wrong, "row")} that should be ${rules.concluded[found.label ?? 0]} and no rule covers`
      : `${plural(found.n_wrong, "row")} that ${ruleName(number)} gets wrong`;
    const messages = h("div", {});
    const edit = (proposal) => (isRule ? { do: "rule", label: found.label, tests: proposal.tests } : { do: "exception", rule: number, tests: proposal.tests });
    show(form, h("h3", {}, isRule ? `A rule for ${what}` : `An exception for ${what}`),
      h("p", { class: "quiet" }, "Found on the rows learned from alone; below it what it does to rows kept apart."),
      found.proposals.length === 0 && h("p", { class: "note" }, found.n_wrong ? "No condition mends more of these rows than it spoils others." : "Among the rows learned from there is none."),
      h("ul", { class: "plain proposals" }, found.proposals.map((proposal) => h("li", {},
        h("button", { type: "button", onclick: () => apply(edit(proposal), (text) => show(messages, problem(text))) }, isRule ? "Add this rule" : "Add this exception"),
        h("div", {}, h("span", {}, `${isRule ? "if" : "unless"} ${proposal.text}`),
          h("p", { class: "quiet" }, `mends ${count(proposal.training.mended)} and spoils ${count(proposal.training.spoiled)} of the rows learned from; `
            + `of unseen rows ${count(proposal.held_out.mended)} and ${count(proposal.held_out.spoiled)}`))))),
      messages, h("p", {}, h("button", { type: "button", onclick: cancel }, "Cancel")));
    form.querySelector("button")?.focus();
  }).catch((error) => show(form, problem(error.message), h("button", { type: "button", onclick: cancel }, "Close")));
  return form;
}

