// A column against the label: a bar for each value, or for parts of the rows from low to high, with the label's share in it.

import { count, h, percent, svg } from "./dom.js";

const WIDTH = 180;
const HEIGHT = 40;
const GAP = 2;

export function labelPicture(column, label, usual) {
  const { bars } = column;
  const shares = bars.map((bar) => (bar.n_rows ? bar.n_label / bar.n_rows : 0));
  const top = Math.max(...shares, usual, 0.01);
  const width = Math.min(WIDTH / bars.length, 30);
  const drawn = WIDTH * Math.min(1, (width * bars.length) / WIDTH);
  const said = bars.map((bar, i) => `${named(bar)}: ${percent(shares[i])} of ${count(bar.n_rows)} rows`);
  const y = (share) => HEIGHT - (HEIGHT - 2) * (share / top);
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "label-picture", role: "img", "aria-label": `Share of ${label}. ${said.join("; ")}` },
    bars.map((bar, i) => svg("g", {}, svg("title", {}, said[i]),
      svg("rect", { class: "track", x: i * width, y: 0, width: width - GAP, height: HEIGHT }),
      svg("rect", { class: shares[i] >= usual ? "more" : "less", x: i * width, y: y(shares[i]), width: width - GAP, height: HEIGHT - y(shares[i]) }))),
    svg("line", { class: "usual", x1: 0, x2: drawn, y1: y(usual), y2: y(usual) }));
  const at = (share) => bars[shares.indexOf(share)];
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  // Numbers have two ends; of words the one with the largest share is named, and the one with the least.
  const ends = column.n_numbers > 0 ? [bars[0].low, bars.at(-1).high] : [];
  return h("div", { class: "label-bars" }, picture, h("div", { class: "ends", vars: { "--drawn": drawn / WIDTH } }, ends.map((end) => h("span", {}, end))),
    h("span", { class: "range" }, column.n_numbers > 0 || bars.length < 2 ? `${percent(least)} to ${percent(most)}` : `${percent(most)} ${named(at(most))}`),
    column.n_numbers === 0 && bars.length > 1 && h("span", { class: "range" }, `${percent(least)} ${named(at(least))}`));
}

const named = ({ low, high }) => (low === high ? low : `${low} to ${high}`);
