// The page: which screen is shown, and what all of them share. The address after # says it all, so that going back,
// reloading and sending a link work.

import { studio } from "./api.js";
import { h, plural, problem, say, show } from "./dom.js";
import { openScreen } from "./open.js";
import { columnsScreen } from "./columns.js";
import { learnScreen } from "./learn.js";
import { rulesScreen } from "./rules.js";
import { pictureScreen } from "./picture.js";
import { rowsScreen } from "./rows.js";
import { editScreen } from "./edit.js";
import { rowPanel } from "./row.js";
import { takeUpDraft } from "./draft.js";

const STEPS = [
  { name: "data", title: "Data", screen: openScreen, ready: () => true },
  { name: "columns", title: "Columns", screen: columnsScreen, ready: (state) => state.origin },
  { name: "learn", title: "Learn", screen: learnScreen, ready: (state) => state.origin },
  { name: "rules", title: "Rules", screen: rulesScreen, ready: (state) => state.program },
  { name: "picture", title: "Picture", screen: pictureScreen, ready: (state) => state.program },
  { name: "rows", title: "Rows", screen: rowsScreen, ready: (state) => state.origin && state.program },
  { name: "edit", title: "Edit", screen: editScreen, ready: (state) => state.program },
];

const main = document.getElementById("main");
const aside = document.getElementById("row");

export const app = {
  state: null,
  split: "all",

  async refresh(state) {
    this.state = state ?? (await studio.state());
    header();
    return this.state;
  },

  go(name, query = {}) {
    const text = new URLSearchParams(query).toString();
    location.hash = text ? `${name}?${text}` : name;
  },

  // Change part of the address and keep the rest.
  alter(changes) {
    const { name, query } = address();
    for (const [key, value] of Object.entries(changes)) {
      if (value === null) query.delete(key);
      else query.set(key, value);
    }
    this.go(name, query);
  },
};

function address() {
  const [name, query] = location.hash.replace(/^#/, "").split("?");
  return { name: name || start(), query: new URLSearchParams(query ?? "") };
}

function start() {
  if (app.state.program) return "rules";
  return app.state.origin ? "columns" : "data";
}

function header() {
  const { name } = address();
  const steps = STEPS.map((step, i) => {
    const ready = step.ready(app.state);
    const current = step.name === name ? "page" : null;
    const title = [h("span", { class: "n", "aria-hidden": "true" }, String(i + 1)), step.title];
    return h("li", {}, ready
      ? h("a", { href: `#${step.name}`, "aria-current": current }, title)
      : h("span", { class: "off", "aria-disabled": "true" }, title));
  });
  const nav = document.getElementById("steps");
  show(nav, h("ol", {}, steps));
  // On a narrow window the steps scroll: keep the current one in sight.
  const current = nav.querySelector("[aria-current]");
  if (current) nav.scrollLeft = current.offsetLeft - nav.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
  show(document.getElementById("saving"), app.state.program ? saving() : null);
}

function saving() {
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
    state.origin && link("predictions.csv", "Download the predictions"),
  ];
  const menu = h("details", { class: "menu" }, h("summary", {}, "Save"), h("ul", {}, items.filter(Boolean)));
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  return menu;
}

let shown = null;
let drawn = null;

// What is drawn depends on the address without the row, which has a panel of its own.
function screenKey(name, query) {
  const rest = new URLSearchParams(query);
  rest.delete("row");
  return `${name}?${rest}`;
}

async function render() {
  const { name, query } = address();
  const step = STEPS.find((one) => one.name === name && one.ready(app.state)) ?? STEPS.find((one) => one.name === start());
  header();
  const about = app.state.origin ? `${app.state.origin.name}, ${plural(app.state.n_rows, "row")}` : "no table is open";
  document.title = `${step.title} · ${about} · unless studio`;
  const moved = shown !== step.name;
  document.body.dataset.screen = step.name;
  const key = screenKey(step.name, query);
  if (key !== drawn || !query.has("row")) {
    drawn = key;
    try {
      await step.screen(main, query);
    } catch (error) {
      show(main, h("h1", {}, step.title), problem(error.message));
    }
  }
  if (moved && shown !== null) {
    main.querySelector("h1")?.setAttribute("tabindex", "-1");
    main.querySelector("h1")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  shown = step.name;
  const row = query.get("row");
  for (const line of main.querySelectorAll("tr[data-row]")) line.classList.toggle("open", line.dataset.row === row);
  await rowPanel(aside, row === null || !app.state.origin || !app.state.program ? null : Number(row));
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && address().query.has("row")) app.alter({ row: null });
});
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
addEventListener("hashchange", render);

try {
  await app.refresh();
  await takeUpDraft(app);
  await render();
} catch (error) {
  show(main, h("h1", {}, "unless studio"), problem(error.message));
}
