// Elements. Texts of papers and answers get into the page through `element` alone, as text and never as markup.

import { shown } from "./text.js";

export function element(tag, { text, ...properties } = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : shown(String(value)));
  }
  if (text !== undefined) made.textContent = shown(String(text));
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// A stranger's words, kept apart from the direction of what stands around them.
export function words(text, properties = {}) {
  return element("bdi", { ...properties, text });
}

export function button(text, onclick, properties = {}) {
  return element("button", { type: "button", ...properties, onclick }, typeof text === "string" ? words(text) : text);
}

export function list(tag, items, properties = {}) {
  return element(tag, properties, ...items.map((item) => element("li", {}, item)));
}

// A list that shows its first items, and the others when asked.
export function longList(tag, rows, draw, most = 200, properties = {}) {
  const made = list(tag, rows.slice(0, most).map(draw), properties);
  if (rows.length <= most) return made;
  const more = button(`Show ${rows.length - most} more`, () => {
    more.remove();
    made.append(...rows.slice(most).map((row) => element("li", {}, draw(row))));
    made.children[most].querySelector("button")?.focus();
  }, { class: "more" });
  return element("div", {}, made, more);
}

export function badge(well, text) {
  return element("span", { class: `badge ${well ? "good" : "bad"}`, text: `${well ? "✓" : "✗"} ${text}` });
}

export function marked({ before, quote, after }) {
  return element("blockquote", {}, words(before), element("mark", {}, words(quote)), words(after));
}

export function table(rows, head = 0) {
  const made = element("table", {});
  rows.forEach((row, number) => {
    const cell = number < head ? "th" : "td";
    made.append(element("tr", {}, ...row.map((text) => element(cell, {}, words(text)))));
  });
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Table" }, made);
}
