// Versions: keep the program under a name, compare any two on all possible rows, go back.

import { studio } from "./api.js";
import { app } from "./app.js";
import { act } from "./draft_bar.js";
import { count, h, plural, problem, show } from "./dom.js";

const IN_USE = "program in use";
const DRAFT = "draft";
const WHO = "unless-studio-who";

export async function versionsScreen(main, query) {
  const { versions, draft } = app.state;
  const messages = h("div", {});
  const result = h("div", { "aria-live": "polite" });
  const name = h("input", { id: "version-name", maxlength: "200", placeholder: "as approved in May" });
  const comment = h("input", { id: "version-comment", maxlength: "5000", placeholder: "why it was changed" });
  const by = h("input", { id: "version-by", maxlength: "200", autocomplete: "name", placeholder: "who decided", value: localStorage.getItem(WHO) ?? "" });
  const keep = async (event) => {
    event.preventDefault();
    try {
      localStorage.setItem(WHO, by.value);
      await app.refresh(await studio.keepVersion(name.value, comment.value, by.value));
      await app.redraw();
    } catch (error) {
      show(messages, problem(error.message));
    }
  };
  const names = [IN_USE, ...(draft === null ? [] : [DRAFT]), ...versions.map((version) => version.name)];
  const choice = (id, text, value) => h("div", {}, h("label", { for: id }, text), h("select", { id }, names.map((one) => h("option", { value: one, selected: one === value }, one))));
  const old = query.get("old") ?? versions.at(-1)?.name ?? IN_USE;
  const now = query.get("new") ?? (draft === null ? IN_USE : DRAFT);
  show(main, h("h1", {}, "Versions"),
    h("form", { class: "card fields", onsubmit: keep }, h("div", {}, h("label", { for: "version-name" }, draft === null ? "Keep this program as" : "Keep the draft as"), name),
      h("div", { class: "grow" }, h("label", { for: "version-comment" }, "Comment"), comment), h("div", {}, h("label", { for: "version-by" }, "Decided by"), by), h("button", { type: "submit", class: "primary" }, "Keep"), messages),
    versions.length === 0 && h("p", { class: "note" }, "No version is kept yet. Give the program a name above before you change it: then you can compare with it and go back to it."),
    versions.length > 0 && h("div", { class: "scroll", role: "region", "aria-label": "Versions", tabindex: "0" }, h("table", {},
      h("thead", {}, h("tr", {}, ["version", "kept", "decided by", "comment", "changed", ""].map((text) => h("th", { scope: "col" }, text || h("span", { class: "hidden" }, "what to do"))))),
      h("tbody", {}, versions.map((version) => h("tr", {}, h("th", { scope: "row" }, version.name), h("td", {}, h("time", { datetime: version.at }, localTime(version.at))),
        h("td", {}, version.by || "–"), h("td", {}, version.comment || "–"), h("td", { class: "changed-since" }, version.changes.length ? version.changes.map((sentence) => h("div", {}, sentence)) : "–"), h("td", {}, h("div", { class: "buttons" },
          h("button", { type: "button", "aria-label": `Go back to ${version.name}`, onclick: () => act(() => studio.useVersion(version.name), () => `Back to ${version.name}.`) }, "Go back to it"),
          h("button", { type: "button", "aria-label": `Forget ${version.name}`, onclick: () => forget(version.name) }, "Forget")))))))),
    names.length > 1 && h("section", { class: "card fields" }, choice("old", "Compare", old), choice("new", "with", now),
      h("button", { type: "button", id: "compare", onclick: () => compare(result, main) }, "Compare")),
    result);
  if (query.has("old")) await compare(result, main);
}

// A version is not undone: it is asked once more.
function forget(name) {
  if (confirm(`Forget the version ${name}? This cannot be undone.`)) act(() => studio.removeVersion(name), () => `${name} is forgotten.`);
}

const localTime = (at) => new Date(at).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });

async function compare(result, main) {
  const [old, now] = ["old", "new"].map((id) => main.querySelector(`#${id}`).value);
  show(result, h("p", { class: "quiet" }, "Comparing on all rows that there can be …"));
  try {
    const found = await studio.difference(old, now);
    show(result, ...difference(found));
  } catch (error) {
    show(result, problem(error.message));
  }
}

function difference(found) {
  if (found.answer === "equal") return [h("p", { class: "card" }, h("strong", {}, "Equal. "), "The two decide every possible row alike: that is proved.")];
  const title = found.answer === "different" ? "Different" : "Not decided within the time";
  return [h("section", { class: "card" }, h("h2", {}, title),
    h("ul", { class: "said" }, found.said.map((sentence) => h("li", {}, sentence))),
    found.flips !== null && h("p", {}, `${count(found.flips)} of ${plural(found.rows, "row")} of the table ${found.flips === 1 ? "flips" : "flip"}.`),
    h("p", { class: "quiet" }, found.complete ? "These regions hold every possible row that is decided otherwise." : "These are the largest regions; there are more.",
      found.covered !== null && found.regions.reduce((sum, region) => sum + region.rows, 0) > found.covered && " They overlap: some rows are counted in several."),
    found.regions.map((region) => h("details", { class: "region" }, h("summary", {}, `${region.before} → ${region.after}, ${region.where}`,
      region.rows !== null && h("span", { class: "quiet" }, ` ${plural(region.rows, "row")}${verdicts(region.verdicts)}`)),
    h("p", {}, h("strong", {}, "before: "), region.proofs.before), h("p", {}, h("strong", {}, "after: "), region.proofs.after),
    region.row_number !== null && h("p", {}, h("a", { href: `#rows?row=${region.row_number}` }, `row ${region.row_number}`)))))];
}

function verdicts(counts) {
  const said = ["better", "worse"].filter((name) => counts[name]).map((name) => `${count(counts[name])} ${name}`);
  return said.length ? `: ${said.join(", ")}` : "";
}
