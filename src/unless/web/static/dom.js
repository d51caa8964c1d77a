// Building the page from values. Text becomes text nodes, always: nothing from data is ever read as markup.

export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "vars") Object.entries(value).forEach(([key, v]) => element.style.setProperty(key, v));
    else if (name === "value") element.value = value;
    else if (value === true) element.setAttribute(name, "");
    else element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// The same for drawings, which have a name space of their own.
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== false));
  return element;
}

export function show(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter(Boolean));
}

export const count = (n) => Number(n).toLocaleString("en");
export const plural = (n, what) => `${count(n)} ${what}${n === 1 ? "" : "s"}`;

export const ruleName = (number) => (number.includes(".") ? `exception ${number}` : `rule ${number}`);

export const listed = (items) => items.join(", ").replace(/, ([^,]*)$/, " and $1");
const METRICS = { f1: "F1", auc: "AUC", log_loss: "log-loss", brier: "Brier score" };
export const metricName = (name) => METRICS[name] ?? name;
export const lowerIsBetter = (name) => name === "log_loss" || name === "brier";

// A share as a percentage that does not claim 100 % or 0 % where it is not quite so.
export function percent(share) {
  if (share === null || share === undefined) return "–";
  if (share === 0 || share === 1) return `${share * 100} %`;
  const text = (share * 100).toFixed(1);
  return text === "0.0" ? "below 0.1 %" : text === "100.0" ? "above 99.9 %" : `${text} %`;
}

export function valueText(value) {
  return value === null || value === undefined ? "missing" : String(value);
}

export function say(text) {
  const status = document.getElementById("status");
  status.textContent = text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { status.textContent = ""; }, 4000);
}

export function later(wait, work) {
  let timer = null;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), wait);
  };
}

export function problem(text) {
  return h("p", { class: "problem", role: "alert" }, text);
}
