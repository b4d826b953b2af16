// Parts of pages: the page's own picture behind a window, so that nothing is stored twice.

import { around } from "./text.js";
import { element } from "./dom.js";

export function place([left, top, right, bottom], node) {
  node.style.left = `${left / 10}%`;
  node.style.top = `${top / 10}%`;
  node.style.width = `${Math.max(right - left, 1) / 10}%`;
  node.style.height = `${Math.max(bottom - top, 1) / 10}%`;
  return node;
}

// The part of a page around some places on it, which are marked if asked; null where there is no picture of it.
export function crop(page, places, { title, room = 8, marks = false } = {}) {
  const here = places.filter(([number]) => number === page?.number);
  if (!page?.picture || !here.length) return null;
  const [left, top, right, bottom] = around(here, room);
  const [wide, high] = [Math.max(right - left, 1), Math.max(bottom - top, 1)];
  const image = element("img", { src: page.picture, alt: title });
  image.style.width = `${100000 / wide}%`;
  image.style.left = `${(-100 * left) / wide}%`;
  image.style.top = `${(-100 * top) / high}%`;
  const frame = element("div", { class: "crop" }, image);
  frame.style.aspectRatio = `${wide} / ${high * page.height}`;
  const within = ([, x0, y0, x1, y1]) => [(1000 * (x0 - left)) / wide, (1000 * (y0 - top)) / high,
    (1000 * (x1 - left)) / wide, (1000 * (y1 - top)) / high];
  if (marks) frame.append(...here.map((one) => place(within(one), element("div", { class: "mark" }))));
  return frame;
}
