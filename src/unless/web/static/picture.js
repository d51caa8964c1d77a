// The picture of the program, drawn by the library.

import { studio } from "./api.js";
import { app } from "./app.js";
import { h, problem, show } from "./dom.js";
import { splitChoice } from "./scores.js";

let version = 0;

export async function pictureScreen(main) {
  const rules = await studio.rules(app.split);
  if (!app.shows("picture")) return;
  version += 1;
  const src = `/api/studio/picture.svg?split=${app.split}&v=${version}`;
  show(main,
    h("h1", {}, "Picture of the rules"),
    rules.problem && problem(rules.problem),
    h("div", { class: "bar" }, h("p", { class: "quiet" }, "The same as under ", h("a", { href: "#rules" }, "Rules"), ", drawn."),
      splitChoice(rules, app.split, (split) => {
        app.split = split;
        pictureScreen(main).then(() => main.querySelector(`input[value=${split}]`)?.focus());
      })),
    // On a phone the picture is drawn narrow, not made small.
    h("picture", {}, h("source", { media: "(max-width: 40rem)", srcset: `${src}&narrow=true` }),
      h("img", { class: "picture", src, alt: `The rules for ${rules.target}: ${rules.lines.map((line) => line.english).join(". ")}` })),
    h("p", {}, h("a", { href: src, download: `${rules.target}.svg` }, "Download the picture")));
}
