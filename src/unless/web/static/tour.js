// A short tour on the example: a note that stays in the corner and leads from screen to screen.

import { h, show } from "./dom.js";

const STOPS = [
  ["columns", "2,000 loan decisions. Each column shows what it holds; loan is to be predicted, and rules will say when it is approved."],
  ["learn", "A quarter of the rows is kept apart. Press “Learn the rules”, and come back here when it is done."],
  ["rules", "These are the rules, with how right they are on rows that they have not seen. Click a condition, such as income, move the slider, and see what would flip. Apply puts it into a draft."],
  ["rows", "Click a row to see why, what if a value were another, and what would change the decision."],
  ["affected", "How tenants, owners and families fare, and which rule makes the difference."],
  ["versions", "Keep the program under a name before you change it; compare any two versions on all possible rows."],
  ["tests", "Write what must stay true, such as “approved only rises with income”. That was the tour: press ? on any screen for help."],
];

export function startTour(at = 0) {
  document.getElementById("tour-note")?.remove();
  const note = h("aside", { id: "tour-note", class: "card", "aria-label": "Tour", "aria-live": "polite" });
  document.body.append(note);
  const stop = (n) => {
    const [screen, text] = STOPS[n];
    location.hash = screen;
    show(note, h("p", { class: "quiet" }, `Tour, ${n + 1} of ${STOPS.length}`), h("p", {}, text), h("p", { class: "buttons" },
      n > 0 && h("button", { type: "button", onclick: () => stop(n - 1) }, "Back"),
      n + 1 < STOPS.length ? h("button", { type: "button", class: "primary", onclick: () => stop(n + 1) }, "Next") : null,
      h("button", { type: "button", onclick: () => note.remove() }, n + 1 < STOPS.length ? "End the tour" : "Done")));
  };
  stop(at);
}
