// Help: what each screen is for, and the keys that work everywhere.

import { studio } from "./api.js";
import { h, say } from "./dom.js";
import { act } from "./draft_bar.js";

const KEYS = [["?", "this help"], ["1 to 9", "go to a screen"], ["Ctrl-Z", "undo (outside of fields)"], ["Ctrl-Shift-Z", "redo"], ["Ctrl-Enter", "use the draft"],
  ["/", "search (on Rows)"], ["Esc", "close a row, a form or a menu"], ["Tab, Enter, arrows", "everything else"]];

const SCREENS = {
  data: ["Open your table, the example, or a project file that you downloaded before.", "Nothing leaves this machine. What you do is written down after every step: close the page or the server, start again, and go on."],
  columns: ["See what each column holds and how it is read, and choose what to predict.", "Mend what is odd by a click; leave out what rules must not use, such as what is only known afterwards."],
  learn: ["Learn rules. Some rows are kept apart first, so that the figures are honest.", "Constraints are kept by every rule, except of FOLD-R++, which only leaves columns out: directions, columns apart, rules that you locked.", "Programs of all sizes show what a shorter program costs; click a point to use it."],
  rules: ["Read the rules. Every condition is a button: click it to change it, and see what would flip before you apply.", "Change opens what can be done to a rule: exceptions, proposals for the rows that it gets wrong, order, lock, switch off.",
    "All changes go into a draft. Use the draft when you are content, or drop it; both can be undone."],
  picture: ["The rules, drawn."],
  rows: ["Find rows: search, filter, sort by a click on a column's name.", "Click a row to see why it has its label, what if a value were another, and what would change it."],
  affected: ["Rates and errors by segment, with intervals, and which rules make the difference.", "Where to cut: decide by the probability, with a price for each of the two mistakes."],
  versions: ["Keep the program under a name, with a comment; compare any two on all possible rows; go back."],
  tests: ["Rows and properties that must stay true. They are checked on the draft, so you see what an edit breaks."],
  text: ["The same draft as text, for those who like it. Errors are marked where they are."],
};

const HELP = "/static/help.html";
const helpOf = (screen) => `${HELP}#${screen === "picture" ? "rules" : screen}`;

// The foot of each screen: the part of the help page that is about it, and the keys.
export function footer(step) {
  return [h("a", { href: helpOf(step.name), target: "_blank" }, `Help: ${step.title}`), h("a", { href: HELP, target: "_blank" }, "All help"),
    h("a", { href: `${HELP}#keys`, target: "_blank" }, "Keys")];
}

export function helpButton() {
  return h("button", { type: "button", id: "help", "aria-label": "Help", title: "Help (?)", onclick: openHelp }, "?");
}

function openHelp() {
  document.querySelector("dialog.help")?.remove();
  const screen = document.body.dataset.screen;
  const dialog = h("dialog", { class: "card help", "aria-labelledby": "help-title" }, h("h2", { id: "help-title" }, "Help"),
    (SCREENS[screen] ?? []).map((text) => h("p", {}, text)),
    h("h3", {}, "Keys"), h("dl", { class: "keys" }, KEYS.map(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)])),
    h("p", {}, h("a", { href: helpOf(screen), target: "_blank" }, "More about this screen")),
    h("p", { class: "quiet" }, "The commands unless learn, explain, audit, diff, recourse and test do the same without the page."),
    h("p", { class: "buttons" }, h("button", { type: "button", class: "primary", onclick: () => dialog.close() }, "Close")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const isTyping = (target) => target.closest("input:not([type=checkbox], [type=radio], [type=range]), textarea, select, dialog") !== null;

export function shortcuts(app) {
  document.addEventListener("keydown", (event) => {
    const typing = isTyping(event.target);
    const control = event.ctrlKey || event.metaKey;
    if (control && event.key === "Enter" && app.state?.draft !== null && !event.target.closest("#text")) {
      document.getElementById("use")?.click();
    } else if (control && event.key.toLowerCase() === "z" && !typing && app.state) {
      event.preventDefault();
      const [work, done] = event.shiftKey ? [studio.redo, "Done again"] : [studio.undo, "Undone"];
      if ((event.shiftKey ? app.state.redo : app.state.undo) === null) say(event.shiftKey ? "There is nothing to do again." : "There is nothing to undo.");
      else act(work, (answer) => `${done}: ${answer.said}`);
    } else if (control || event.altKey || typing) {
      return;
    } else if (event.key === "?") {
      openHelp();
    } else if (event.key === "/" && document.getElementById("search")) {
      event.preventDefault();
      document.getElementById("search").focus();
    } else if (/^[1-9]$/.test(event.key)) {
      const step = app.steps.filter((one) => !one.hidden)[Number(event.key) - 1];
      if (step?.ready(app.state)) app.go(step.name);
    }
  });
}
