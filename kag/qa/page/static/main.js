// The page is put together: views behind tabs, pages beside them, one selection at a time.

import { counted, shown } from "./text.js";
import { button, element } from "./dom.js";
import { Sheets } from "./sheets.js";
import { drawAnswers } from "./claims.js";
import { drawChecks, drawContents, drawFloats, drawReferences, drawSaid, drawSearch } from "./panels.js";

const VIEWS = [
  ["answers", "Answers", drawAnswers, (data) => data.answers.length],
  ["contents", "Contents", drawContents, () => true],
  ["floats", "Figures and tables", drawFloats, (data) => data.floats.length],
  ["references", "References", drawReferences, (data) => data.references.length],
  ["said", "What it says", drawSaid, (data) => data.said.entities.length + data.said.values.length + data.said.claims.length],
  ["search", "Search", drawSearch, () => true],
  ["checks", "Checks", drawChecks, () => true],
];

function choose(tabs, at, focus) {
  tabs.forEach(({ tab, panel }, number) => {
    tab.setAttribute("aria-selected", String(number === at));
    tab.tabIndex = number === at ? 0 : -1;
    panel.hidden = number !== at;
  });
  if (focus) tabs[at].tab.focus();
}

function moved(key, at, last) {
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }[key];
  return to === undefined ? null : (to + last + 1) % (last + 1);
}

function build(data, sheets) {
  const tabs = [];
  for (const [name, title, draw] of VIEWS.filter(([, , , wanted]) => wanted(data))) {
    const at = tabs.length;
    const tab = button(title, () => choose(tabs, at), { role: "tab", id: `tab-${name}`, "aria-controls": `view-${name}` });
    const panel = element("div", { role: "tabpanel", id: `view-${name}`, "aria-labelledby": `tab-${name}` },
      element("h2", { text: title }), ...draw(data, sheets));
    tab.addEventListener("keydown", (event) => {
      const to = moved(event.key, at, tabs.length - 1);
      if (to === null) return;
      event.preventDefault();
      choose(tabs, to, true);
    });
    tabs.push({ tab, panel });
  }
  document.getElementById("tabs").append(...tabs.map(({ tab }) => tab));
  document.getElementById("panels").append(...tabs.map(({ panel }) => panel));
  choose(tabs, data.review ? Math.max(0, tabs.findIndex(({ tab }) => tab.id === "tab-contents")) : 0);  // a server shows the paper first
  return tabs;
}

// Where the address leads: to a node, or to something in a view, which is opened.
function follow(tabs, sheets) {
  const name = decoded(window.location.hash.slice(1));
  if (!name || sheets.follow(name)) return;
  const [, claim, place] = name.match(/^(claim-.+-\d+)-(\d+)$/) ?? [];  // a claim, at one of its quotes
  const target = document.getElementById(name) ?? (claim ? document.getElementById(claim) : null);
  const at = tabs.findIndex(({ panel }) => panel.contains(target));
  if (!target || at < 0) return;
  choose(tabs, at);
  target.focus();
  if (target.id !== name) target.dataset.place = place;
  if (target.matches("button.claim, button.passage")) target.click();
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];

// Buttons for the size of the pages; what is looked at stays in sight.
function zoom(pages, stay) {
  let at = ZOOMS.indexOf(1);
  const status = element("span", { "aria-live": "polite", text: "100 %" });
  const to = (next) => {
    at = Math.min(Math.max(next, 0), ZOOMS.length - 1);
    pages.style.setProperty("--zoom", ZOOMS[at]);
    status.textContent = `${100 * ZOOMS[at]} %`;
    stay();
  };
  return element("div", { class: "zoom", role: "group", "aria-label": "Size of the pages" },
    button("−", () => to(at - 1), { "aria-label": "Smaller" }), status,
    button("+", () => to(at + 1), { "aria-label": "Larger" }),
    button("Fit", () => to(ZOOMS.indexOf(1)), { "aria-label": "Fit the window" }));
}

export function showPaper(data) {
  const title = shown(data.paper.title || data.paper.id);
  document.title = `${title} – evidence`;
  document.getElementById("title").textContent = title;
  const about = document.getElementById("about");  // a server's page says more already
  if (about) about.textContent = shown([data.paper.id, counted(data.pages.length, "page"), data.paper.run].join(" · "));
  const pages = document.getElementById("pages");
  const sheets = new Sheets(pages, document.getElementById("selection"), data);
  pages.prepend(zoom(pages, () => sheets.chosen && sheets.scroll()));
  const tabs = build(data, sheets);
  window.addEventListener("hashchange", () => follow(tabs, sheets));
  follow(tabs, sheets);
  document.addEventListener("keydown", (event) => event.key === "Escape" && sheets.clear()?.focus());
}

const embedded = document.getElementById("data");  // a server's page has none, and calls by itself
if (embedded) showPaper(JSON.parse(embedded.textContent));
