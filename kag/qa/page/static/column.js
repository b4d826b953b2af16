// What is printed at no known place (XML, Markdown): a column to be read, in which what is selected is marked.

import { anchor, readable, titled } from "./text.js";
import { element, marked, table, words } from "./dom.js";

const TAGS = { Title: "h3", SectionTitle: "h4", Caption: "p", Formula: "p" };

export class Column {
  constructor(rows, floats) {
    this.floats = new Map(floats.map((row) => [row.node, row]));
    this.parts = new Map(rows.map(([number, row]) => [number, this.part(number, row)]));
    this.frame = element("div", { class: "column" }, ...[...this.parts.values()].map((part) => part.frame));
  }

  part(number, row) {
    const body = element(TAGS[row.kind] ?? (this.floats.has(number) ? "div" : "p"), { class: `text ${row.kind.toLowerCase()}` });
    const link = element("a", { href: `#${anchor(row)}`, class: "anchor", "aria-label": `Select ${titled(row)}`, text: "¶" });
    const frame = element("div", { class: "part" }, link, body);
    const part = { row, body, frame, float: this.floats.get(number) };
    this.fill(part, null);
    return part;
  }

  // The words of a part, a stretch of its text marked if one is given.
  fill({ row, body, float }, span) {
    if (float?.rows.length) body.replaceChildren(table(float, span));
    else if (float) body.replaceChildren(...pictures(float, row));
    else if (span) body.replaceChildren(...marked({ before: row.text.slice(0, span[0]), quote: row.text.slice(...span),
      after: row.text.slice(span[1]) }).childNodes);
    else body.replaceChildren(words(readable(row) || titled(row)));
  }

  choose(spots) {
    for (const part of this.parts.values()) {
      if (!part.frame.classList.contains("chosen")) continue;
      part.frame.classList.remove("chosen");
      this.fill(part, null);
    }
    for (const { number, span } of spots) {
      const part = this.parts.get(number);
      part?.frame.classList.add("chosen");
      if (part && span) this.fill(part, span);
    }
  }

  scroll(number) {
    const frame = this.parts.get(number)?.frame;
    (frame?.querySelector("mark") ?? frame)?.scrollIntoView({ block: "center" });
    return Boolean(frame);
  }
}

function pictures(float, row) {
  if (!float.pictures.length) return [words(`[${titled(row)}]`)];
  return float.pictures.map((source) => element("img", { src: source, alt: titled(row) }));
}
