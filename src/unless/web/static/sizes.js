// Accuracy against size: a point for each program; a click uses it.

import { studio } from "./api.js";
import { app } from "./app.js";
import { act } from "./draft_bar.js";
import { h, percent, plural, show, svg } from "./dom.js";

const WIDTH = 640;
const HEIGHT = 240;
const LEFT = 56;
const BOTTOM = 200;

export async function sizesPicture(holder) {
  const { points, elbow, is_weighed: isWeighed } = await studio.sizes();
  if (!points.length) {
    show(holder);
    return;
  }
  const use = async (i) => {
    await act(() => studio.chooseSize(i), () => `Program ${i + 1} is used.`);
    app.go("rules");
  };
  show(holder, h("section", { class: "card" }, h("h2", {}, "Accuracy on unseen rows against size"),
    h("p", { class: "quiet" }, "Each point is a program; the bar is one standard error. Click a point, or a button below, to use it."),
    isWeighed && h("p", { class: "quiet" }, "Rows weighed differently in learning: these accuracies are shares of their weight, not of the rows."),
    draw(points, elbow, use),
    h("ul", { class: "plain" }, points.map((point, i) => h("li", {}, h("button", { type: "button", "aria-label": `Use program ${i + 1}`, onclick: () => use(i) }, "Use"),
      ` ${plural(point.n_rules, "rule")}, ${plural(point.n_conditions, "condition")}: ${percent(point.accuracy)} (± ${(100 * point.spread).toFixed(1)} %)`,
      i === elbow && h("span", { class: "badge" }, "smallest within one standard error of the best"))))));
}

function draw(points, elbow, use) {
  const sizes = points.map(({ n_conditions: n }) => Math.log(Math.max(1, n)));
  const low = Math.min(...points.map((point) => point.accuracy - point.spread));
  const high = Math.max(...points.map((point) => point.accuracy + point.spread));
  const room = Math.max(high - low, 0.01) * 0.1;
  const x = (i) => LEFT + 20 + ((WIDTH - LEFT - 40) * (sizes[i] - sizes[0])) / Math.max(sizes[sizes.length - 1] - sizes[0], 0.01);
  const y = (share) => BOTTOM - ((BOTTOM - 20) * (share - low + room)) / (high - low + 2 * room);
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "sizes", role: "img", "aria-label": "Accuracy against size; the list below says the same" });
  for (const share of [low, high]) {
    const text = svg("text", { x: 4, y: y(share) + 4 });
    text.textContent = percent(share);
    picture.append(svg("line", { x1: LEFT, x2: WIDTH, y1: y(share), y2: y(share), class: "grid" }), text);
  }
  const axis = svg("text", { x: WIDTH / 2, y: HEIGHT - 2, "text-anchor": "middle" });
  axis.textContent = "conditions";
  picture.append(axis);
  points.forEach((point, i) => {
    const label = svg("text", { x: x(i), y: BOTTOM + 20, "text-anchor": "middle" });
    label.textContent = String(point.n_conditions);
    picture.append(svg("line", { x1: x(i), x2: x(i), y1: y(point.accuracy - point.spread), y2: y(point.accuracy + point.spread), class: "spread" }),
      svg("circle", { cx: x(i), cy: y(point.accuracy), r: 8, class: i === elbow ? "elbow" : "point", onclick: () => use(i) }), label);
  });
  return picture;
}
