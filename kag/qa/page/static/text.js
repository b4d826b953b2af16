// Texts and places as plain values: no document is needed here.

const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
const MARKS = /\p{M}/gu;
const DASHES = /[\u2010-\u2015\u2212\ufe63\uff0d]/g;
const QUOTES = /[\u2018\u2019\u02bc\u2032]/g;

// A text as it can be shown: signs that turn the direction of what follows are made visible, one for one.
export function shown(text) {
  return text.replace(TURNS, "\ufffd");
}

// The form of a text in which it is searched: case, accents, kinds of dashes and runs of blanks make no difference.
export function fold(text) {
  const bare = text.normalize("NFKD").replace(MARKS, "").toLowerCase();
  return bare.replace(DASHES, "-").replace(QUOTES, "'").replace(/\s+/g, " ");
}

// Where in a text its folded form holds a folded needle first: [start, end], or null.
export function locate(text, needle) {
  const origins = [];
  let folded = "";
  let at = 0;
  for (const sign of text) {
    let piece = fold(sign);
    if (piece === " " && folded.endsWith(" ")) piece = "";
    folded += piece;
    for (let n = 0; n < piece.length; n += 1) origins.push([at, at + sign.length]);
    at += sign.length;
  }
  const found = needle ? folded.indexOf(needle) : -1;
  return found < 0 ? null : [origins[found][0], origins[found + needle.length - 1][1]];
}

// What is asked for, folded: words, and "several words" in quotation marks that stand one behind the other.
export function terms(query) {
  const found = [...query.matchAll(/["\u201c\u201d]([^"\u201c\u201d]+)["\u201c\u201d]|(\S+)/g)];
  return [...new Set(found.map(([, phrase, word]) => fold((phrase ?? word).trim())).filter(Boolean))];
}

// Where all folded terms stand in a text one behind the other, else the first of them: [start, end], or null.
export function locateFirst(text, wanted) {
  const whole = locate(text, wanted.join(" "));
  if (whole) return whole;
  const found = wanted.map((term) => locate(text, term)).filter(Boolean);
  return found.sort((a, b) => a[0] - b[0])[0] ?? null;
}

// The box around those of some places, in thousandths of the page, with some room on each side.
export function around(places, room = 0) {
  const side = (at, best) => best(...places.map((place) => place[at]));
  return [Math.max(0, side(1, Math.min) - room), Math.max(0, side(2, Math.min) - room),
    Math.min(1000, side(3, Math.max) + room), Math.min(1000, side(4, Math.max) + room)];
}

// The name by which a link leads to a node: that of its block.
export function anchor(row) {
  return row.name.replace(/^ex:/, "");
}

// The address that a reference's identifiers lead to, or "": only these, and the web's own kinds of address.
export function address({ doi, arxiv, pmid, url } = {}) {
  if (doi) return `https://doi.org/${encodeURI(doi).replace(/[?#]/g, encodeURIComponent)}`;
  if (arxiv) return `https://arxiv.org/abs/${encodeURI(arxiv)}`;
  if (pmid) return `https://pubmed.ncbi.nlm.nih.gov/${encodeURIComponent(pmid)}/`;
  return /^https?:\/\/[^\s]+$/i.test(url ?? "") ? url : "";
}

// A span with at most `width` units of the text before and after it, cut at blanks.
export function context(text, start, end, width = 240) {
  let from = Math.max(0, start - width);
  let to = Math.min(text.length, end + width);
  if (from > 0) from = Math.min(start, text.indexOf(" ", from - 1) + 1 || start);
  if (to < text.length) to = Math.max(end, text.lastIndexOf(" ", to));
  return {
    before: (from > 0 ? "… " : "") + text.slice(from, start),
    quote: text.slice(start, end),
    after: text.slice(end, to) + (to < text.length ? " …" : ""),
  };
}

// The beginning of a text, cut at a blank.
export function beginning(text, width = 90) {
  if (text.length <= width) return text;
  const cut = text.lastIndexOf(" ", width);
  return `${text.slice(0, cut > width / 2 ? cut : width)} …`;
}

// The text of a node for people: with its LaTeX where formulas are set, else in plain words.
export function readable(row) {
  return (globalThis.setsFormulas && row.text) || row.plain || row.text;
}

// What a node is called: as the page prints it, else by its kind in words.
export function titled(row) {
  if (row.label) return row.kind === "BibliographicReference" ? `Reference ${row.label}` : row.label;
  if (row.kind === "SectionTitle") return "Heading";
  const kind = row.kind.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return kind || "Node";
}

export function counted(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

// "page 2" or "pages 2, 3 and 5".
export function pageWords(places) {
  const numbers = [...new Set(places.map((place) => place[0]))].sort((a, b) => a - b);
  if (numbers.length < 2) return `page ${numbers[0] ?? "?"}`;
  return `pages ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}

// Rows with a depth as a tree: each with its children; a depth that leaps is taken as one step.
export function nested(rows) {
  const top = [];
  const open = [];
  for (const row of rows) {
    const item = { row, children: [] };
    while (open.length && open.at(-1).row.depth >= row.depth) open.pop();
    (open.length ? open.at(-1).children : top).push(item);
    open.push(item);
  }
  return top;
}

// The places of all nodes on each page; nodes that share a box (parts of one block) each get a slice of it.
export function layout(rows) {
  const pages = new Map();
  const sharing = new Map();
  rows.forEach((row, number) => (row.places ?? []).forEach((place, part) => {
    const key = place.join();
    sharing.set(key, [...(sharing.get(key) ?? []), number]);
    if (!pages.has(place[0])) pages.set(place[0], []);
    pages.get(place[0]).push({ row, number, part, place, key });
  }));
  for (const item of [...pages.values()].flat()) {
    const together = sharing.get(item.key);
    const [, left, top, right, bottom] = item.place;
    const height = (bottom - top) / together.length;
    const from = top + height * together.indexOf(item.number);
    item.box = [left, from, right, from + height];
  }
  return pages;
}

// The size of letters, in hundredths of the page's width, at which a text fills a box (thousandths of the page).
export function letterSize(text, [left, top, right, bottom]) {
  const width = Math.max(right - left, 1) / 10;
  const height = (Math.max(bottom - top, 1) / 10) * 1.414;
  let best = 0;
  for (let lines = 1; lines <= 80; lines += 1) {
    best = Math.max(best, Math.min(height / (1.25 * lines), (width * lines) / (0.68 * Math.max(text.length, 1))));
  }
  return Math.min(1.5, Math.max(0.6, best));
}

// How a text flows through several boxes: the part of it that a box holds, by the boxes' areas.
export function portion(text, places, part) {
  const areas = places.map(([, left, top, right, bottom]) => Math.max(1, (right - left) * (bottom - top)));
  const whole = areas.reduce((sum, area) => sum + area, 0);
  const before = areas.slice(0, part).reduce((sum, area) => sum + area, 0);
  const cut = (area) => (area >= whole ? text.length : Math.round((text.length * area) / whole));
  return text.slice(cut(before), cut(before + areas[part]));
}
