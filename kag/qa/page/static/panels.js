// What stands beside the pages: contents, figures and tables, references, search, checks.

import { address, beginning, context, counted, fold, locateFirst, nested, readable, terms, titled } from "./text.js";
import { badge, button, copyButton, element, linkOut, list, longList, marked, table, words } from "./dom.js";
import { crop } from "./crops.js";

const MOST_HITS = 100;
const MOST_ROWS = 12;  // of a table that is shown at once
const FIELDS = { authors: "Authors", editors: "Editors", title: "Title", year: "Year", container: "In", volume: "Volume", issue: "Issue",
  pages: "Pages", publisher: "Publisher", place: "Place", edition: "Edition", doi: "DOI", arxiv: "arXiv", pmid: "PubMed",
  pmcid: "PubMed Central", url: "URL" };

export function drawContents(data, sheets) {
  const branch = (items) => list("ul", items.map(({ row, children }) => {
    const title = row.title || row.number || "(no title)";
    const open = row.node === null ? words(title) : button(title, () => sheets.go(row.node, open), { class: "plain" });
    const kinds = row.types.length ? row.types.join(", ") : "";
    const note = [row.page && `p. ${row.page}`, kinds, row.synthetic && "not printed"].filter(Boolean).join(" · ");
    return element("div", {}, open, element("span", { class: "note", text: ` ${note}` }),
      children.length ? branch(children) : null);
  }), { class: "tree" });
  return [data.sections.length ? branch(nested(data.sections)) : element("p", { text: "There are no sections." })];
}

export function drawFloats(data, sheets) {
  return data.floats.map((row) => {
    const node = data.nodes[row.node];
    const caption = data.nodes[row.caption];
    const open = button(`${titled(node)}, page ${node.page}`, () => sheets.go(row.node, open));
    return element("figure", {}, open,
      drawn(row, node, sheets), cells(row),
      element("figcaption", {}, caption ? words(readable(caption)) : "No caption."),
      row.machine ? element("p", { class: "machine" }, "A model's words: ", words(row.machine)) : null,
      from("Referred to", row.from, data, sheets));
  });
}

// A figure of several panels as the page sets it; else its own pictures, which are sharper.
function drawn(row, node, sheets) {
  const places = row.rows.length ? [] : node.places ?? [];
  const whole = places.length > 1 || !row.pictures.length ? crop(sheets.sheets.get(places[0]?.[0])?.page, places, { title: titled(node) }) : null;
  if (whole || !row.pictures.length) return whole;
  return element("div", { class: "panels" }, ...row.pictures.map((source, at) => element("img", { src: source, loading: "lazy",
    alt: row.pictures.length > 1 ? `${titled(node)}, part ${at + 1}` : titled(node) })));
}

function cells(row) {
  if (!row.rows.length) return null;
  const open = row.rows.length <= MOST_ROWS;
  return element("details", { open }, element("summary", { text: counted(row.rows.length, "row") }), table(row));
}

function from(title, numbers, data, sheets) {
  if (!numbers.length) return element("p", { class: "note", text: `${title} nowhere in the text.` });
  const draw = (number) => {
    const node = data.nodes[number];
    const open = button(`p. ${node.page}: ${beginning(node.plain || node.text, 70)}`, () => sheets.go(number, open), { class: "plain" });
    return open;
  };
  return element("details", {}, element("summary", { text: `${title} in ${counted(numbers.length, "place")}` }),
    list("ul", numbers.map(draw)));
}

export function drawReferences(data, sheets) {
  const draw = (row) => {
    const node = data.nodes[row.node];
    const open = button(row.entry, () => sheets.go(row.node, open), { class: "plain" });
    return element("div", { class: "entry" }, element("span", { class: "number", text: node.label || "–" }),
      element("div", {}, open, identified(row.fields), from("Cited", row.from, data, sheets), read(row.fields)));
  };
  return [longList("ul", data.references, draw, 200, { class: "bare" })];
}

export function drawSaid(data, sheets) {
  const { entities, values, claims } = data.said;
  const to = (text, node) => {
    const open = button(text, () => sheets.go(node, open), { class: "plain" });
    return open;
  };
  const entity = (row) => element("div", {}, to(row.name, row.nodes[0]),
    element("span", { class: "note", text: ` ${row.kind} · ${counted(row.nodes.length, "text")} ` }),
    ...row.same.map((iri) => linkOut(iri, iri.split(/[/#]/).at(-1))));
  const value = (row) => element("div", {}, to(row.text, row.node),
    element("span", { class: "note", text: ` ${[row.property, row.of].filter(Boolean).join(" of ")}` }));
  const claim = (row) => element("div", {}, element("span", { class: "note", text: `${row.role}: ` }), to(row.text, row.node),
    element("span", { class: "note", text: ` ${row.notes.join(", ")}` }));
  const part = (title, rows, draw) => (rows.length ? [element("h3", { text: `${title} (${rows.length})` }),
    longList("ul", rows, draw, 100, { class: "bare" })] : []);
  return [...part("Entities", entities, entity), ...part("Measurements", values, value), ...part("Claims", claims, claim)];
}

function identified(fields) {
  const to = address(fields);
  return to ? element("p", { class: "note" }, linkOut(to, fields.doi ? `doi:${fields.doi}` : to)) : null;
}

// What was read in an entry, and all of it as BibTeX.
function read(fields) {
  const known = Object.entries(FIELDS).filter(([name]) => fields[name]);
  if (!known.length) return null;
  return element("details", {}, element("summary", { text: "Fields" }),
    facts(known.map(([name, title]) => [title, fields[name]])),
    fields.bibtex ? copyButton("BibTeX", fields.bibtex) : null);
}

export function drawSearch(data, sheets) {
  const folded = [];  // made when first asked: a long paper has millions of letters
  const field = element("input", { type: "search", id: "query", autocomplete: "off", spellcheck: "false" });
  const count = element("p", { role: "status", class: "note" });
  const hits = element("div", {});
  const look = () => {
    const wanted = terms(field.value);
    if (!folded.length) folded.push(...sheets.rows.map((row) => fold(row.plain || row.text)));
    const found = wanted.length ? [...folded.keys()].filter((n) => wanted.every((term) => folded[n].includes(term))) : [];
    const most = found.length > MOST_HITS ? `, the first ${MOST_HITS} shown` : "";
    count.textContent = wanted.length ? `${counted(found.length, "text")} with these words${most}` : "";
    hits.replaceChildren(list("ul", found.slice(0, MOST_HITS).map((n) => drawHit(n, wanted, sheets)), { class: "bare" }));
  };
  let wait = 0;
  field.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(look, 120);
  });
  return [element("label", { for: "query", text: 'Words in the paper; "in quotation marks" one behind the other' }), field, count, hits];
}

function drawHit(number, wanted, sheets) {
  const node = sheets.rows[number];
  const text = node.plain || node.text;
  const [start, end] = locateFirst(text, wanted) ?? [0, 0];
  const said = context(text, start, end, 80);
  const open = button(`${titled(node)}, page ${node.page}`, () => {
    sheets.show({ ...sheets.asSelection(number), float: null, said: context(text, start, end, 400) }, open);
  });
  return element("div", {}, open, marked(said));
}

export function drawChecks(data, sheets) {
  const none = element("p", { text: "This folder holds only a graph, so shapes and blocks were not checked." });
  return [
    ...(data.shapes ? [element("h3", { text: "Shapes (SHACL)" }), verdict(data.shapes, "the graph conforms", data, sheets)] : [none]),
    ...(data.conservation ? drawConservation(data.conservation, data, sheets) : []),
    ...(data.problems.length ? [element("h3", { text: "Pictures" }), list("ul", data.problems.map((text) => words(text)))] : []),
    ...(data.facts.length ? [element("h3", { text: "Run" }), facts(data.facts)] : []),
  ];
}

function verdict(report, well, data, sheets) {
  const draw = (issue) => {
    const text = `${issue.rule} · ${issue.focus}: ${issue.message}`;
    const open = issue.node === null ? words(text) : button(text, () => sheets.go(issue.node, open), { class: "plain" });
    return open;
  };
  const cut = report.found - report.issues.length;
  return element("div", {},
    badge(!report.found, report.found ? counted(report.found, "issue") : well),
    report.issues.length ? longList("ul", report.issues, draw, 100) : null,
    cut ? element("p", { class: "note", text: `${counted(cut, "issue")} more.` }) : null);
}

function drawConservation(report, data, sheets) {
  const reasons = new Map();
  report.skipped.forEach((row, n) => reasons.set(row.reason, [...(reasons.get(row.reason) ?? []), n]));
  const draw = (n) => {
    const row = report.skipped[n];
    const text = `${row.name}: ${beginning(row.text || "(no text)", 80)}`;
    const open = button(text, () => sheets.go(data.nodes.length + n, open), { class: "plain" });
    return open;
  };
  const skipped = [...reasons].map(([reason, numbers]) => element("details", {},
    element("summary", {}, words(`${reason} (${numbers.length})`)), longList("ul", numbers, draw, 100)));
  return [element("h3", { text: "Conservation" }),
    verdict(report, "no block lost, doubled or changed", data, sheets),
    element("p", { text: `${counted(report.blocks, "block")} read: ${report.placed} in the graph, ${report.skipped.length} left out.` }),
    ...skipped];
}

function facts(pairs) {
  return element("dl", {}, ...pairs.flatMap(([name, value]) => [element("dt", { text: name }), element("dd", {}, words(value))]));
}
