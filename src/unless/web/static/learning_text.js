// What learning does at the moment, and how far it is, in a sentence.

import { count, percent, plural } from "./dom.js";

const WAITING = { compiling: "Compiling the learner, once on this machine …" };
export const GETTING_READY = "Getting ready …";

export function progressText(learning) {
  if (learning.waiting_for) return WAITING[learning.waiting_for];
  const seconds = `${learning.seconds.toFixed(1)} s`;
  if (learning.stopping) return learning.what === "sizes" ? `Stopping, ${seconds} …` : `Stopping, ${seconds}. What is found so far is finished and graded first …`;
  if (learning.doing === "reading" && !learning.n_parts) return `Reading and coding the rows, ${seconds} …`;
  if (learning.what === "sizes") {
    return learning.n_parts ? `Programs of all sizes: ${count(learning.n_done)} of ${count(learning.n_parts)} grown, in the whole table and in five folds; now ${plural(learning.n_rules, "rule")}, ${seconds}` : GETTING_READY;
  }
  if (learning.doing === "grading") return `${plural(learning.n_rules, "rule")} found; working out points and probabilities, ${seconds} …`;
  const soFar = `${plural(learning.n_rules, "rule")} so far, `;
  const fold = learning.n_folds ? `Fold ${learning.fold} of ${learning.n_folds}, to count on unseen rows: ` : "";
  if (learning.is_trying) return `${fold || "On some of the rows at first: "}${soFar}to see how many the table bears, ${seconds}.`;
  if (learning.n_errors !== null) return `${fold}${soFar}${count(learning.n_errors)} rows still predicted wrongly, ${seconds}.${fold ? "" : " Stop keeps the best so far."}`;
  if (fold) return `${fold}${seconds}`;
  if (!learning.n_all) return GETTING_READY;
  return `${soFar}${count(learning.n_left)} of ${count(learning.n_all)} rows (${percent(learning.n_left / learning.n_all)}) still to explain, ${seconds}`;
}

// How much of it is done, from 0 to 1; null where nobody knows.
export function progressShare(learning) {
  if (learning.n_parts) return learning.n_done / learning.n_parts;
  if (learning.n_all) return 1 - learning.n_left / learning.n_all;
  return null;
}
