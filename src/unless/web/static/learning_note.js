// Learning goes on while another screen is looked at: a note says how far it is, and when it is done. A page that is
// closed says so, and learning that nobody looks at ends.

import { studio } from "./api.js";
import { h, say, show } from "./dom.js";
import { progressText } from "./learning_text.js";

const EVERY = 1000;

export function watchFromAfar(app) {
  const note = h("p", { id: "learning-note" });
  document.body.append(note);
  let running = false;
  setInterval(async () => {
    const known = app.state?.learning?.stage === "running" || running;
    if (!known || app.shows("learn")) {
      running = running && app.shows("learn");
      show(note);
      return;
    }
    const learning = await studio.learning().catch(() => null);
    if (!learning || app.shows("learn")) return;
    running = learning.stage === "running";
    show(note, running && [progressText(learning), " ", h("a", { href: "#learn" }, "Look")]);
    if (running) return;
    await app.refresh();
    say(learning.stage === "done" ? "Learning is done: see Rules." : learning.error || "Learning was stopped.");
  }, EVERY);
  addEventListener("pagehide", () => {
    if (app.state?.learning?.stage === "running" || app.shows("learn")) navigator.sendBeacon("/api/studio/leaving");
  });
}
