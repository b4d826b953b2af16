// The pages: each is drawn when it comes near the window, as its picture or as the boxes with their texts.

import { anchor, beginning, counted, layout, letterSize, pageWords, portion, titled } from "./text.js";
import { button, element, marked, table, words } from "./dom.js";
import { crop, place } from "./crops.js";
import { Column } from "./column.js";

const KINDS = { Figure: "figure", Table: "table", Formula: "formula", Caption: "caption", SectionTitle: "heading",
  Title: "heading", BibliographicReference: "reference", Skipped: "skipped" };

export class Sheets {
  constructor(root, bar, data) {
    const skipped = (data.conservation?.skipped ?? []).map((row) => ({ ...row, kind: "Skipped", page: row.places[0]?.[0] }));
    this.bar = bar;
    this.rows = [...data.nodes, ...skipped];
    this.items = layout(this.rows);
    this.floats = data.floats;
    this.names = new Map(this.rows.map((row, number) => [anchor(row), number]));
    this.narrow = window.matchMedia("(max-width: 61.99rem)");
    this.chosen = null;
    this.review = data.review ?? "";  // where a server lets the parse be put right
    this.sheets = new Map(data.pages.map((page) => [page.number, this.frame(page)]));
    this.columns = [...this.sheets.values()].map((sheet) => sheet.column).filter(Boolean);
    root.append(...[...this.sheets.values()].map((sheet) => sheet.frame));
    this.watch();
  }

  frame(page) {
    const surface = element("div", { class: `surface${page.picture ? " pictured" : ""}`, "data-page": page.number });
    if (page.height) surface.style.aspectRatio = `1 / ${page.height}`;
    const title = element("h2", { text: `Page ${page.number}` });
    const column = this.column(page.number);
    const empty = !page.picture && !this.items.has(page.number);
    const frame = element("section", { class: "sheet", id: `page-${page.number}`, "aria-label": `Page ${page.number}` },
      title, empty && column ? null : surface, column?.frame);
    return { page, frame, surface, column, drawn: false };
  }

  // What is printed on a page at no place that is known; null where there is nothing.
  column(page) {
    const rows = [...this.rows.entries()].filter(([, row]) => row.page === page && !row.places?.length);
    return rows.length ? new Column(rows, this.floats) : null;
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
    if (picture) sheet.surface.append(this.picture(picture, number));
    sheet.surface.append(...(this.items.get(number) ?? []).map((item) => this.block(item, picture)));
    this.highlight(sheet);
  }

  picture(source, number) {
    return element("img", { src: source, alt: `Page ${number} as printed` });
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
    const float = this.floats.find((one) => one.node === number && one.rows.length);
    const said = float ? null : { before: row.text || "(nothing is printed here as text)", quote: "", after: "" };
    const where = [row.section, row.reason && `left out: ${row.reason}`].filter(Boolean).join(" · ");
    return { title: titled(row), note: where, places: row.places ?? [], spots: [{ number }], said, float };
  }

  go(number, origin) {
    this.show(this.asSelection(number), origin);
  }

  // Go where a link leads; false where it is no node's name.
  follow(name) {
    const number = this.names.get(name);
    if (number !== undefined) this.go(number, null);
    return number !== undefined;
  }

  // Highlight all places of a selection, scroll to the first, and say what is selected.
  show(selection, origin) {
    const old = this.chosen?.selection.places ?? [];
    const here = origin?.closest(".surface");
    this.chosen = { selection, origin, at: selection.at ?? 0 };
    this.refresh([...old, ...selection.places]);
    this.name(selection);
    this.tell();
    if (!here && !(this.narrow.matches && origin && this.crop())) this.scroll();
  }

  // The address of the page leads to what is selected, so that it can be handed on.
  name({ spots }) {
    const row = this.rows[spots?.[0]?.number];
    if (!row || window.location.hash === `#${anchor(row)}`) return;
    try {
      window.history.replaceState(null, "", `#${anchor(row)}`);
    } catch {
      // some browsers keep the addresses of files as they are
    }
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
    for (const column of this.columns) column.choose(this.chosen?.selection.spots ?? []);
  }

  highlight(sheet) {
    for (const old of sheet.surface.querySelectorAll(".mark")) old.remove();
    (this.chosen?.selection.places ?? []).forEach(([page, ...box], number) => {
      if (page !== sheet.page.number) return;
      const now = number === this.chosen.at ? " now" : "";
      sheet.surface.append(place(box, element("div", { class: `mark${now}`, "data-place": number })));
    });
    for (const [page, ...box] of this.chosen?.selection.lines ?? []) {
      if (page === sheet.page.number) sheet.surface.append(place(box, element("div", { class: "mark line" })));
    }
    sheet.surface.classList.toggle("lined", Boolean(sheet.surface.querySelector(".mark.line")));
  }

  scroll() {
    const { selection, at } = this.chosen;
    const sheet = this.sheets.get(selection.places[at]?.[0]);
    if (!sheet) {
      const spot = selection.spots?.[at]?.number;
      this.columns.some((column) => column.scroll(spot));
      return;
    }
    this.draw(sheet);
    const target = sheet.surface.querySelector(".mark.now");
    (this.lineIn(sheet, at) ?? target)?.scrollIntoView({ block: "center", inline: "nearest" });
  }

  // The first line of a quote in the place that is looked at.
  lineIn(sheet, at) {
    const [page, left, top, right, bottom] = this.chosen.selection.places[at];
    const lines = (this.chosen.selection.lines ?? []).filter(([number]) => number === page);
    const first = lines.findIndex(([, x0, y0, x1, y1]) => x0 < right && x1 > left && y0 < bottom && y1 > top);
    return first < 0 ? null : sheet.surface.querySelectorAll(".mark.line")[first];
  }

  // How many places a selection leads to: boxes, or else texts.
  count({ places, spots }) {
    return places.length || (spots?.length ?? 0);
  }

  step(by) {
    const { selection, at } = this.chosen;
    const count = this.count(selection);
    this.chosen.at = (at + by + count) % count;
    this.refresh(selection.places);
    this.tell();
    if (!(this.narrow.matches && this.crop())) this.scroll();
  }

  // The part of the page with the place that is looked at, for a window that has no room for the page beside it.
  crop() {
    const { selection, at } = this.chosen;
    const now = selection.places[at];
    return now ? crop(this.sheets.get(now[0])?.page, [now], { title: `${selection.title} as printed`, room: 25, marks: true }) : null;
  }

  tell() {
    const { selection, at } = this.chosen;
    const count = this.count(selection);
    const unplaced = count ? `${counted(count, "place")} in the text` : "no place on a page";
    const where = selection.places.length ? `${counted(count, "place")} on ${pageWords(selection.places)}` : unplaced;
    const repeated = !this.narrow.matches && this.chosen.origin?.closest(".answer");  // it is read there
    const turn = count > 1 ? ` · ${at + 1} of ${count}` : "";
    this.bar.replaceChildren(
      element("div", { class: "bar" },
        element("p", { role: "status" }, element("strong", {}, words(selection.title)), ` ${where}${turn}`),
        element("div", { class: "tools" }, ...this.tools(count))),
      ...[this.narrow.matches ? this.crop() : null,
        selection.note && !repeated ? element("p", { class: "note" }, words(selection.note)) : null,
        selection.float ? table(selection.float, selection.span) : null,
        selection.said && !repeated ? marked(selection.said) : null].filter(Boolean));
    this.bar.hidden = false;
  }

  tools(count) {
    const turn = (text, by) => button(text, () => {
      this.step(by);
      this.bar.querySelector(`[data-by="${by}"]`)?.focus();
    }, { "data-by": by });
    const [spot] = this.chosen.selection.spots ?? [];
    const name = this.review && spot ? this.rows[spot.number].name : "";
    return [...(name ? [element("a", { class: "button small", href: `${this.review}${encodeURIComponent(name)}`, text: "Correct" })] : []),
      ...(count > 1 ? [turn("Previous", -1), turn("Next", 1)] : []),
      ...(this.narrow.matches ? [button("Page", () => this.scroll())] : []),
      ...(this.chosen.origin?.isConnected ? [button("Back", () => this.focusOrigin())] : []),
      button("Close", () => this.clear()?.focus(), { title: "Escape" })];
  }

  focusOrigin() {
    this.chosen.origin.scrollIntoView({ block: "center" });
    this.chosen.origin.focus();
  }
}
