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

// A short statement of state; coloured only where all is well.
export function badge(well, text) {
  return element("span", { class: well ? "badge good" : "badge", text: well ? `✓ ${text}` : text });
}

export function marked({ before, quote, after }) {
  return element("blockquote", {}, words(before), element("mark", {}, words(quote)), words(after));
}

// A table as printed: cells are [words, rows, columns]; rows in which `span` of its text lies are marked.
export function table({ rows, head }, span = null) {
  const made = element("table", {});
  rows.forEach((row, number) => {
    const inside = span && row.span && row.span[0] < span[1] && span[0] < row.span[1];
    made.append(element("tr", { class: inside ? "quoted" : undefined }, ...row.cells.map(([text, high, wide]) =>
      element(number < head ? "th" : "td", {
        rowspan: high > 1 ? high : undefined,
        colspan: wide > 1 ? wide : undefined,
        scope: number < head ? (wide > 1 ? "colgroup" : "col") : undefined,
      }, inside ? element("mark", {}, words(text)) : words(text)))));
  });
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Table" }, made);
}

// A link out of the page, opened beside it; where it leads is never told where it comes from.
export function linkOut(address, text) {
  return element("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, words(text));
}

// A button that puts a text where others are pasted from; where the browser keeps that back, the text is selected.
export function copyButton(title, text) {
  const shownText = element("pre", { text, tabindex: "0", "aria-label": title });
  const status = element("span", { role: "status", class: "note" });
  const copy = button(`Copy ${title}`, async () => {
    try {
      await navigator.clipboard.writeText(text);
      status.textContent = " Copied.";
    } catch {
      shownText.closest("details").open = true;
      getSelection().selectAllChildren(shownText);
      status.textContent = " Selected: copy it from here.";
    }
  }, { class: "small" });
  return element("div", {}, copy, status,
    element("details", {}, element("summary", { text: title }), shownText));
}
