// A form for one condition: bounds of a number or date with a slider over the values, words with their counts.

import { studio } from "./api.js";
import { count, h, later, percent, plural, problem, show } from "./dom.js";
import { flipSentence } from "./effect.js";

let serial = 0;

// `column` may be null: then it is chosen first from `columns`. `edit(column, values)` makes the edit that is sent. The
// pictures show how often `label` goes with the values.
export function conditionForm({ column, columns, label, values, title, edit, apply, cancel, extra }) {
  const id = `form-${serial += 1}`;
  const body = h("div", { class: "condition-body" });
  const messages = h("p", { class: "preview", "aria-live": "polite" });
  let fields = { read: () => null };
  const read = () => fields.read();
  let chosen = column;
  const preview = later(150, async () => {
    const asked = chosen && read();
    if (!asked) return show(messages);
    try {
      const { said, effect, problem: wrong, bounds } = await studio.preview(edit(chosen, asked));
      fields.placed?.(bounds);
      if (wrong) show(messages, h("span", { class: "worse" }, wrong));
      else show(messages, said, " ", flipSentence(effect), effect.splits.length ? "." : null);
    } catch (error) {
      show(messages, problem(error.message));
    }
  });
  const load = async () => {
    show(body, h("p", { class: "quiet" }, "Loading …"));
    try {
      const choices = await studio.values(chosen, label);
      fields = choices.kind === "categorical" ? wordFields(choices, values, id, preview, label) : numberFields(choices, values, id, preview, label);
      show(body, fields.element);
      body.querySelector("input:not(:disabled)")?.focus();
    } catch (error) {
      show(body, problem(error.message));
    }
  };
  const picker = column === null && h("div", {}, h("label", { for: `${id}-column` }, "Column"),
    h("select", { id: `${id}-column`, onchange: (event) => { chosen = event.target.value; values = null; load(); } },
      h("option", { value: "" }, "choose …"), columns.map((name) => h("option", { value: name }, name))));
  const form = h("form", { class: "condition", "aria-label": title, onsubmit: (event) => {
    event.preventDefault();
    const asked = chosen && read();
    if (!asked) show(messages, problem(chosen ? "Choose at least one value." : "Choose a column first."));
    else apply(edit(chosen, asked), (text) => show(messages, problem(text)));
  } }, h("h3", {}, title), extra?.(preview), picker, body, messages,
  h("p", { class: "buttons" }, h("button", { type: "submit", class: "primary" }, "Apply"),
    h("button", { type: "button", onclick: cancel }, "Cancel")));
  form.addEventListener("gather", (event) => event.detail(chosen ? read() : null));
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    cancel();
  });
  if (column !== null) load();
  return form;
}

function wordFields(choices, values, id, changed, label) {
  const chosen = new Set(values?.words ?? []);
  const known = new Set(choices.words.map(({ word }) => word));
  const rows = [...choices.words, ...[...chosen].filter((word) => !known.has(word)).map((word) => ({ word, n: 0 }))];
  const most = Math.max(1, ...rows.map(({ n }) => n));
  const shares = rows.some(({ share }) => share !== null && share !== undefined);
  const list = h("ul", { class: "choices" }, rows.map(({ word, n, share }, i) => h("li", { "data-word": word.toLowerCase(), vars: { "--share": n / most } },
    h("input", { type: "checkbox", id: `${id}-w${i}`, checked: chosen.has(word), onchange: (event) => {
      if (event.target.checked) chosen.add(word);
      else chosen.delete(word);
      changed();
    } }), h("label", { for: `${id}-w${i}` }, word), h("span", { class: "quiet number" }, count(n)),
    shares && h("span", { class: "quiet number share" }, share === null || share === undefined ? "–" : percent(share)))));
  const filter = rows.length > 12 && h("input", { type: "search", "aria-label": "Search the words", placeholder: "search the words", oninput: (event) => {
    const text = event.target.value.toLowerCase();
    for (const item of list.children) item.hidden = !item.dataset.word.includes(text);
  } });
  const mode = { all_but: Boolean(values?.all_but) };
  const radio = (allBut, text) => h("label", {}, h("input", { type: "radio", name: `${id}-mode`, checked: mode.all_but === allBut,
    onchange: () => { mode.all_but = allBut; changed(); } }), text);
  const element = h("div", {}, h("fieldset", { class: "choice" }, h("legend", {}, "The value"), radio(false, "is one of"),
    radio(true, "is none of (blank passes too)")), filter, list,
  shares && h("p", { class: "note" }, `Beside each word its rows, and how many of those learned from are ${label}.`));
  return { element, read: () => (chosen.size ? { words: [...chosen], all_but: mode.all_but } : null) };
}

function numberFields(choices, values, id, changed, label) {
  const cuts = choices.cuts;
  const picture = shareBars(choices, label);
  const moved = () => {
    picture.mark(low.value(), high.value());
    changed();
  };
  const low = boundField("low", "Above", cuts, values, id, choices, moved);
  const high = boundField("high", "At most", cuts, values, id, choices, moved);
  if (values === null || (values.low === null && values.high === null && !values.words.length)) low.enable(true);
  const words = choices.words.length > 0 && wordBoxes(choices, values, id, changed);
  const blank = h("input", { type: "checkbox", id: `${id}-blank`, checked: Boolean(values?.blank), onchange: changed });
  picture.mark(low.value(), high.value());
  const element = h("div", {}, picture.element, low.element, high.element,
    words && words.element,
    h("p", { class: "one" }, blank, h("label", { for: `${id}-blank` },
      choices.words.length ? "blank and all other words pass too" : `blank passes too (${plural(choices.n_missing, "row")})`)));
  const placed = (bounds) => {
    low.placed(bounds.low);
    high.placed(bounds.high);
    picture.mark(low.value(), high.value());
  };
  return { element, placed, read: () => {
    const asked = { ...low.read(), ...high.read(), words: words ? words.read() : [], blank: blank.checked };
    return asked.low === undefined && asked.high === undefined && !asked.words.length ? null : asked;
  } };
}

function wordBoxes(choices, values, id, changed) {
  const chosen = new Set(values && !values.all_but ? values.words : []);
  const element = h("fieldset", { class: "choice" }, h("legend", {}, "or is"), choices.words.slice(0, 12).map(({ word, n }) =>
    h("label", {}, h("input", { type: "checkbox", checked: chosen.has(word), onchange: (event) => {
      if (event.target.checked) chosen.add(word);
      else chosen.delete(word);
      changed();
    } }), `${word} (${count(n)})`)));
  return { element, read: () => [...chosen] };
}

// One bound: switched on or off, a slider over the values, a field to type in, and how many rows are beyond.
function boundField(side, name, cuts, values, id, choices, changed) {
  const on = values !== null && values[side] !== null && values[side] !== undefined;
  const switched = h("input", { type: "checkbox", id: `${id}-${side}-on`, checked: on, onchange: () => enable(switched.checked) });
  const text = h("input", { id: `${id}-${side}`, "aria-label": `${name}, value`, size: "14", autocomplete: "off",
    inputmode: choices.is_date ? null : "decimal", placeholder: choices.reading || "a number",
    value: on ? values[`${side}_text`] : "" });
  const slider = h("input", { type: "range", min: "0", max: String(Math.max(0, cuts.length - 1)), step: "1", "aria-label": `${name}, slider`,
    value: String(on ? nearest(cuts, values[side]) : Math.floor(cuts.length / 2)) });
  const rows = h("output", { class: "quiet", for: `${id}-${side}` });
  const isIn = on ? values[`${side}_in`] : side === "high";
  let value = on ? values[side] : null;
  const beyond = ({ below, said }) => {
    rows.textContent = `${plural(side === "high" ? below : choices.n_numbers - below, "row")} ${side === "high" ? (isIn ? "at most" : "below") : isIn ? "at least" : "above"} ${said}`;
  };
  const say = () => {
    const cut = cuts[Number(slider.value)];
    if (cut && switched.checked && text.value === cut.text && isIn === (side === "high")) beyond(cut);
    else rows.textContent = "";
    slider.setAttribute("aria-valuetext", cut ? cut.said : "none");
  };
  const enable = (to) => {
    switched.checked = to;
    text.disabled = slider.disabled = !to;
    if (to && !text.value && cuts.length) {
      text.value = cuts[Number(slider.value)].text;
      ({ value } = cuts[Number(slider.value)]);
    }
    say();
    changed();
  };
  slider.addEventListener("input", () => {
    const cut = cuts[Number(slider.value)];
    text.value = cut.text;
    ({ value } = cut);
    say();
    changed();
  });
  // What a typed bound is as a number, the server says: it knows how the column is written.
  let typed = false;
  text.addEventListener("input", () => { typed = true; say(); changed(); });
  const placed = (found) => {
    if (!found || !switched.checked) return;
    ({ value } = found);
    if (typed) slider.value = String(nearest(cuts, value));
    typed = false;
    slider.setAttribute("aria-valuetext", found.said);
    beyond(found);
  };
  text.disabled = slider.disabled = !on;
  say();
  const element = h("div", { class: "bound" }, switched, h("label", { for: `${id}-${side}-on` }, on && values[`${side}_in`] && side === "low" ? "At least"
    : on && !values[`${side}_in`] && side === "high" ? "Below" : name), slider, text, rows);
  return { element, enable, placed, value: () => (switched.checked ? value : null), read: () => (switched.checked && text.value.trim() ? { [side]: text.value.trim(), [`${side}_in`]: isIn } : {}) };
}

function nearest(cuts, number) {
  let best = 0;
  cuts.forEach((cut, i) => { if (Math.abs(cut.value - number) < Math.abs(cuts[best].value - number)) best = i; });
  return best;
}

// The share of the label along the slider, in rows learned from; what passes is coloured.
function shareBars(choices, label) {
  const { cuts, parts } = choices;
  if (parts.length < 2) return { element: null, mark: () => {} };
  const most = Math.max(...parts.map(({ share }) => share), 0.01);
  const bars = parts.map((part) => h("i", { title: `${part.said}: ${percent(part.share)} ${label}, of ${plural(part.n, "row")}`,
    vars: { "--share": Math.max(part.share / most, 0.03), "--cuts": cuts.filter(({ value }) => value >= part.low && value <= part.high).length || 1 } }));
  const said = `Share of ${label} in rows learned from: ${parts.map((part) => `${part.said} ${percent(part.share)}`).join("; ")}`;
  const element = h("div", { class: "share-bars" }, h("div", { class: "bars", role: "img", "aria-label": said }, bars),
    h("span", {}, cuts[0].said), h("span", {}, `share of ${label}, up to ${percent(most)}`), h("span", {}, cuts[cuts.length - 1].said));
  const mark = (low, high) => parts.forEach((part, i) => {
    bars[i].classList.toggle("out", (low !== null && part.high <= low) || (high !== null && part.low > high));
  });
  return { element, mark };
}
