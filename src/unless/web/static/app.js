// The page: which screen is shown, and what all of them share. The address after # says it all, so that going back,
// reloading and sending a link work.

import { ofRow, ofScreen, studio } from "./api.js";
import { h, plural, problem, say, show } from "./dom.js";
import { openScreen } from "./open.js";
import { columnsScreen } from "./columns.js";
import { learnScreen } from "./learn.js";
import { rulesScreen } from "./rules.js";
import { pictureScreen } from "./picture.js";
import { rowsScreen } from "./rows.js";
import { affectedScreen } from "./affected.js";
import { versionsScreen } from "./versions.js";
import { checksScreen } from "./checks.js";
import { editScreen } from "./edit.js";
import { rowPanel } from "./row.js";
import { takeUpDraft } from "./draft.js";
import { draftBar } from "./draft_bar.js";
import { saving } from "./saving.js";
import { footer, helpButton, shortcuts } from "./help.js";
import { watchFromAfar } from "./learning_note.js";

const STEPS = [
  { name: "data", title: "Data", screen: openScreen, ready: () => true },
  { name: "columns", title: "Columns", screen: columnsScreen, ready: (state) => state.origin },
  { name: "learn", title: "Learn", screen: learnScreen, ready: (state) => state.origin },
  { name: "rules", title: "Rules", screen: rulesScreen, ready: (state) => state.program },
  { name: "rows", title: "Rows", screen: rowsScreen, ready: (state) => state.origin && state.program },
  { name: "affected", title: "Affected", screen: affectedScreen, ready: (state) => state.origin && state.program },
  { name: "versions", title: "Versions", screen: versionsScreen, ready: (state) => state.program },
  { name: "tests", title: "Tests", screen: checksScreen, ready: (state) => state.origin && state.program },
  { name: "text", title: "Text", screen: editScreen, ready: (state) => state.program },
  { name: "picture", title: "Picture", screen: pictureScreen, ready: (state) => state.program, hidden: true },
];

const main = document.getElementById("main");
const aside = document.getElementById("row");

let drawn = null;

export const app = {
  state: null,
  split: "held_out",
  which: "draft", // what is counted on Affected and asked of a row: the draft, where there is one, or the program in use

  async refresh(state) {
    this.state = state ?? (await studio.state());
    header();
    draftBar();
    return this.state;
  },

  // Draw the screen again, with the row that is open.
  async redraw() {
    drawn = null;
    await render();
  },

  // Another tab was faster: look again, and say so. Anything else is only said.
  async noticed(error) {
    if (error.status === 409) {
      await this.refresh();
      await this.redraw();
    }
    say(error.message);
  },

  // Tell whether a screen is still wanted once its answers are there.
  shows: (name) => document.body.dataset.screen === name,

  steps: STEPS,

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
  const steps = STEPS.filter((step) => !step.hidden).map((step, i) => {
    const ready = step.ready(app.state);
    const current = step.name === name || (name === "picture" && step.name === "rules") ? "page" : null;
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
  show(document.getElementById("saving"), app.state.program ? saving() : null, helpButton());
}

let shown = null;

// What is drawn depends on the address without the row, which has a panel of its own.
function screenKey(name, query) {
  const rest = new URLSearchParams(query);
  rest.delete("row");
  return `${name}?${rest}`;
}

// A screen whose answers take a while says so, instead of leaving the one before in sight.
const PATIENCE = 250;
function sayLoading(step) {
  const before = main.firstChild;
  setTimeout(() => {
    if (main.firstChild === before && app.shows(step.name)) show(main, h("h1", {}, step.title), h("p", { class: "quiet" }, "Looking at the table …"));
  }, PATIENCE);
}

async function render() {
  const { name, query } = address();
  const step = STEPS.find((one) => one.name === name && one.ready(app.state)) ?? STEPS.find((one) => one.name === start());
  header();
  const about = app.state.origin ? `${app.state.origin.name}, ${plural(app.state.n_rows, "row")}` : "no table is open";
  document.title = `${step.title} · ${about} · unless studio`;
  const moved = shown !== step.name;
  document.body.dataset.screen = step.name;
  show(document.getElementById("foot"), footer(step));
  const key = screenKey(step.name, query);
  if (key !== drawn || !query.has("row")) {
    drawn = key;
    ofScreen.leave();
    if (moved) sayLoading(step);
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
  ofRow.leave();
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
shortcuts(app);

// A tab that comes back into sight looks whether another one has changed something.
document.addEventListener("visibilitychange", async () => {
  if (document.hidden || !app.state) return;
  const before = app.state.revision;
  const state = await studio.state().catch(() => null);
  if (!state || state.revision === before) return;
  await app.refresh(state);
  await app.redraw();
  say("Another tab changed the draft; this one shows it now.");
});

try {
  await app.refresh();
  await takeUpDraft(app);
  await render();
  watchFromAfar(app);
} catch (error) {
  show(main, h("h1", {}, "unless studio"), problem(error.message));
}
