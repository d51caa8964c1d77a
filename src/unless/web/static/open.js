// The first screen: open the example, or send a file.

import { studio } from "./api.js";
import { app } from "./app.js";
import { h, plural, problem, show } from "./dom.js";
import { startTour } from "./tour.js";

const NEXT = [
  ["Look at the columns", "What each holds, how it is read, and which one to predict."],
  ["Learn", "Rules with exceptions, in seconds, with rows held out to test them on."],
  ["Read and ask", "Every rule in plain words, every row with its proof, and what if it were different."],
  ["Change", "Edit a rule and see at once which rows flip. Nothing leaves this machine."],
];

export async function openScreen(main) {
  const messages = h("div", { "aria-live": "polite" });
  const opened = async (work, what, next = "columns") => {
    show(messages, h("p", { class: "quiet" }, `Opening ${what} …`));
    try {
      await app.refresh(await work());
      app.go(app.state.program ? "rules" : next);
    } catch (error) {
      show(messages, problem(error.message));
    }
  };
  const input = h("input", { type: "file", id: "file", onchange: () => send(input.files) });
  const send = (files) => {
    if (!files.length) return;
    const isProject = files[0].name.endsWith(".json");
    opened(() => (isProject ? studio.project(files[0]) : studio.upload(files[0])), files[0].name, isProject ? "rules" : "columns");
  };
  const drop = h("label", { class: "drop", for: "file" },
    h("span", {}, h("strong", {}, "Choose a file"), " or drop it here."),
    h("span", { class: "quiet" }, "CSV, TSV (also gzipped), Excel, Parquet or Arrow, or a project file (.json). It stays on this machine."), input);
  drop.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    send(event.dataTransfer.files);
  });
  const { origin, n_rows: nRows, n_columns: nColumns } = app.state;
  show(main,
    h("h1", {}, "From a table to rules you trust"),
    h("p", { class: "lead" }, "Rules with exceptions are learned from a table. You read them, ask why, and change them."),
    origin && h("section", { class: "card now" },
      h("div", {}, h("strong", {}, origin.name), h("span", { class: "quiet" },
        `${plural(nRows, "row")}, ${plural(nColumns, "column")}`)),
      h("a", { class: "button", href: app.state.program ? "#rules" : "#columns" }, "Go on with it")),
    h("section", { class: "two" },
      h("div", { class: "card" }, h("h2", {}, "Your table"), drop),
      h("div", { class: "card" }, h("h2", {}, "The example"),
        h("p", {}, "2,000 loan decisions, drawn from a small theory with exceptions, some noise and some empty cells."),
        h("p", {}, h("button", { type: "button", id: "example", class: "primary",
          onclick: () => opened(studio.example, "the example") }, "Open the example"), " ",
        h("button", { type: "button", id: "tour", onclick: async () => {
          if (app.state.origin?.kind !== "example") await opened(studio.example, "the example");
          startTour();
        } }, "Take the tour")))),
    messages,
    h("ol", { class: "steps", "aria-label": "What comes next" }, NEXT.map(([title, text]) => h("li", {}, h("b", {}, title), text))));
}
