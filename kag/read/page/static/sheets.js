// The pages: each is drawn when it comes near the window, as its picture or as the boxes with their texts.

import { beginning, counted, layout, letterSize, pageWords, portion, titled } from "./text.js";
import { button, element, marked, words } from "./dom.js";

const KINDS = { Figure: "figure", Table: "table", Formula: "formula", Caption: "caption", SectionTitle: "heading",
  Title: "heading", BibliographicReference: "reference", Skipped: "skipped" };

export function place([left, top, right, bottom], node) {
  node.style.left = `${left / 10}%`;
  node.style.top = `${top / 10}%`;
  node.style.width = `${Math.max(right - left, 1) / 10}%`;
  node.style.height = `${Math.max(bottom - top, 1) / 10}%`;
  return node;
}

export class Sheets {
  constructor(root, bar, data) {
    const skipped = (data.conservation?.skipped ?? []).map((row) => ({ ...row, kind: "Skipped", page: row.places[0]?.[0] }));
    this.bar = bar;
    this.rows = [...data.nodes, ...skipped];
    this.items = layout(this.rows);
    this.chosen = null;
    this.sheets = new Map(data.pages.map((page) => [page.number, this.frame(page)]));
    root.append(...[...this.sheets.values()].map((sheet) => sheet.frame));
    this.watch();
  }

  frame(page) {
    const surface = element("div", { class: `surface${page.picture ? " pictured" : ""}`, "data-page": page.number });
    const title = element("h2", { text: `Page ${page.number}` });
    const frame = element("section", { class: "sheet", id: `page-${page.number}`, "aria-label": `Page ${page.number}` },
      title, surface);
    return { page, frame, surface, drawn: false };
  }

  watch() {
    const near = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const sheet = this.sheets.get(Number(target.dataset.page));
        if (isIntersecting) this.draw(sheet);
        else if (!sheet.surface.contains(document.activeElement)) this.erase(sheet);
      }
    }, { rootMargin: "1200px", scrollMargin: "1200px" });  // the second where the pages scroll by themselves
    for (const sheet of this.sheets.values()) near.observe(sheet.surface);
    window.addEventListener("beforeprint", () => this.sheets.forEach((sheet) => this.draw(sheet)));
  }

  draw(sheet) {
    if (sheet.drawn) return;
    sheet.drawn = true;
    const { number, picture } = sheet.page;
    if (picture) sheet.surface.append(this.picture(sheet, picture, number));
    sheet.surface.append(...(this.items.get(number) ?? []).map((item) => this.block(item, picture)));
    this.highlight(sheet);
  }

  picture(sheet, source, number) {
    const image = element("img", { src: source, alt: `Page ${number} as printed` });
    image.addEventListener("load", () => {
      sheet.surface.style.aspectRatio = `${image.naturalWidth} / ${image.naturalHeight}`;
    });
    return image;
  }

  erase(sheet) {
    sheet.surface.replaceChildren();
    sheet.drawn = false;
  }

  block({ row, number, part, box }, picture) {
    const label = `${titled(row)}: ${beginning(row.plain || row.text || row.name, 60)}`;
    const text = picture ? "" : this.printed(row, part);
    const open = button(text, () => this.show(this.asSelection(number), open), {
      class: `block ${KINDS[row.kind] ?? ""}`, "aria-label": label, title: row.reason ?? titled(row),
      tabindex: part ? "-1" : undefined });
    open.style.fontSize = `${letterSize(text, box)}cqw`;
    return place(box, open);
  }

  printed(row, part) {
    return portion(row.plain || row.text || titled(row), row.places, part).slice(0, 1500);
  }

  // Selections -------------------------------------------------------------------------------

  asSelection(number) {
    const row = this.rows[number];
    const said = { before: row.text || "(nothing is printed here as text)", quote: "", after: "" };
    const where = [row.name, row.section, row.reason && `left out: ${row.reason}`].filter(Boolean).join(" · ");
    return { title: titled(row), note: where, places: row.places ?? [], said };
  }

  go(number, origin) {
    this.show(this.asSelection(number), origin);
  }

  // Highlight all places of a selection, scroll to the first, and say what is selected.
  show(selection, origin) {
    const old = this.chosen?.selection.places ?? [];
    const here = origin?.closest(".surface");
    this.chosen = { selection, origin, at: 0 };
    this.refresh([...old, ...selection.places]);
    this.tell();
    if (!here) this.scroll();
  }

  clear() {
    const old = this.chosen;
    this.chosen = null;
    this.bar.hidden = true;
    this.bar.replaceChildren();
    if (old) this.refresh(old.selection.places);
    return old?.origin;
  }

  refresh(places) {
    for (const number of new Set(places.map(([page]) => page))) {
      const sheet = this.sheets.get(number);
      if (sheet?.drawn) this.highlight(sheet);
    }
  }

  highlight(sheet) {
    for (const old of sheet.surface.querySelectorAll(".mark")) old.remove();
    (this.chosen?.selection.places ?? []).forEach(([page, ...box], number) => {
      if (page !== sheet.page.number) return;
      const now = number === this.chosen.at ? " now" : "";
      sheet.surface.append(place(box, element("div", { class: `mark${now}`, "data-place": number })));
    });
  }

  scroll() {
    const { selection, at } = this.chosen;
    const sheet = this.sheets.get(selection.places[at]?.[0]);
    if (!sheet) return;
    this.draw(sheet);
    sheet.surface.querySelector(".mark.now")?.scrollIntoView({ block: "center", inline: "nearest" });
  }

  step(by) {
    const { places } = this.chosen.selection;
    this.chosen.at = (this.chosen.at + by + places.length) % places.length;
    this.refresh(places);
    this.tell();
    this.scroll();
  }

  tell() {
    const { selection, at } = this.chosen;
    const { places } = selection;
    const where = places.length ? `${counted(places.length, "place")} on ${pageWords(places)}` : "no place on a page";
    const turn = places.length > 1 ? ` · ${at + 1} of ${places.length}` : "";
    this.bar.replaceChildren(
      element("div", { class: "bar" },
        element("p", { role: "status" }, element("strong", {}, words(selection.title)), ` ${where}${turn}`),
        element("div", { class: "tools" }, ...this.tools(places.length))),
      ...(selection.note ? [element("p", { class: "note" }, words(selection.note))] : []),
      ...(selection.said ? [marked(selection.said)] : []));
    this.bar.hidden = false;
  }

  tools(places) {
    const turn = (text, by) => button(text, () => {
      this.step(by);
      this.bar.querySelector(`[data-by="${by}"]`)?.focus();
    }, { "data-by": by });
    return [...(places > 1 ? [turn("Previous", -1), turn("Next", 1)] : []),
      button("Back", () => this.chosen.origin?.isConnected && this.focusOrigin()),
      button("Close", () => this.clear()?.focus(), { title: "Escape" })];
  }

  focusOrigin() {
    this.chosen.origin.scrollIntoView({ block: "center" });
    this.chosen.origin.focus();
  }
}
