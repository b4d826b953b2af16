// The neighbourhood of a node as a drawing: never more than `MOST` nodes; a click adds what is linked to a node.

import { api } from "./api.js";
import { button, element, words } from "./viewer/dom.js";

const MOST = 500;
const SEED = 1;  // of the layout
const LARGEST = 1.3;  // zoom at first
const TYPE = 12;  // pixels of a label on the screen, whatever the zoom
const LETTER = 6.3;  // pixels of a letter, about
const LONGEST = { paper: 44 };  // letters of a label, by kind
const USUAL = 28;
const SHAPES = { paper: "hexagon", section: "round-rectangle", text: "ellipse", figure: "rectangle", reference: "diamond", person: "triangle" };
const RANKS = ["paper", "section", "figure", "person", "reference", "text"];  // whose labels come first
const frame = document.getElementById("graph");
const status = document.getElementById("graph-status");
const card = document.getElementById("node");
const paper = frame.dataset.paper;
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const hidden = new Set();

function short(text, group) {
  const most = LONGEST[group] ?? USUAL;
  return text.length > most ? `${text.slice(0, most).replace(/\s+\S*$/, "")} …` : text;
}

function elements({ nodes, edges }) {
  return [
    ...nodes.map((node) => ({ data: { ...node, shown: "", name: short(node.text || node.kind, node.group) } })),
    ...edges.map((edge) => ({ data: { id: `${edge.source} ${edge.target}`, source: edge.source, target: edge.target, label: edge.label } })),
  ];
}

function looks() {
  const [ink, edge, ground, mark, accent] = ["--ink", "--edge", "--surface", "--mark", "--accent"].map(colour);
  return [
    { selector: "node", style: { label: "data(shown)", color: ink, width: 14, height: 14, "text-margin-y": -3, "text-background-color": ground,
      "text-background-opacity": 0.85, "text-background-padding": 1, "border-width": 1, "border-color": ground } },
    ...Object.entries(SHAPES).map(([group, shape]) => ({ selector: `node[group = '${group}']`,
      style: { shape, "background-color": colour(`--kind-${group}`), ...(group === "paper" ? { width: 22, height: 22 } : {}) } })),
    ...["section", "paper"].map((group, above) => ({ selector: `node[group = '${group}']`, style: { "z-index": above + 1 } })),
    { selector: "edge", style: { width: 1.5, "line-color": edge, "curve-style": "haystack", opacity: 0.5 } },
    { selector: "edge.near", style: { width: 2, "line-color": accent, "curve-style": "bezier", label: "data(label)", "font-size": 10, color: ink,
      "text-background-color": ground, "text-background-opacity": 0.85, "text-rotation": "autorotate" } },
    { selector: ".far", style: { opacity: 0.2 } },
    { selector: ".gone", style: { display: "none" } },
    { selector: "node.found", style: { "border-width": 4, "border-color": mark } },
    { selector: ":selected", style: { "border-width": 4, "border-color": mark } },
  ];
}

// Labels of one size on the screen, the more important first; one that would cover another is left out. None covers a
// node, but that of a section may cover text, and that of the paper or of what is chosen all nodes.
function label(drawing) {
  const zoom = drawing.zoom();
  const nodes = drawing.nodes().filter((node) => !hidden.has(node.data("group")));
  const bodies = nodes.map((node) => {
    const { x, y } = node.renderedPosition();
    const half = size(node) * zoom - 1;
    return { rank: rank(node), box: [x - half, y - half, x + half, y + half] };
  });
  const labels = [];
  const order = nodes.sort((a, b) => rank(a) - rank(b) || b.data("degree") - a.data("degree"));
  drawing.batch(() => {
    for (const node of order) {
      const { x, y } = node.renderedPosition();
      const text = node.data("name");
      const half = (text.length * LETTER) / 2 + 3;
      const low = y - size(node) * zoom - 2;
      const box = [x - half, low - TYPE - 6, x + half, low + 1];
      const covered = covers(rank(node));
      const free = !labels.some((one) => meet(box, one)) && !bodies.some((one) => one.rank < covered && meet(box, one.box));
      if (free) labels.push(box);
      node.data("shown", free ? text : "");
      node.style("font-size", TYPE / zoom);
    }
  });
  const { x, y } = (paper ? drawing.getElementById(frame.dataset.node) : nodes.first()).renderedPosition();
  frame.dataset.centre = `${Math.round(x)},${Math.round(y)}`;  // where the node stands that the drawing began with
  frame.dataset.nodes = String(bodies.length);
  frame.dataset.labels = String(labels.length);
}

const size = (node) => (node.data("group") === "paper" ? 11 : 7);
const meet = (one, other) => one[0] < other[2] && one[2] > other[0] && one[1] < other[3] && one[3] > other[1];

// The rank from which on nodes may be covered by the label of a node of this rank.
function covers(own) {
  if (own <= RANKS.indexOf("paper")) return -1;
  return own === RANKS.indexOf("section") ? RANKS.indexOf("text") : Infinity;
}

function rank(node) {
  if (node.selected() || node.hasClass("found")) return -1;
  return node.hasClass("far") ? RANKS.length : RANKS.indexOf(node.data("group"));
}

// Run work with a random source that starts the same each time: the layout library takes no seed of its own.
function repeatable(work) {
  const random = Math.random;
  let state = SEED;
  Math.random = () => {  // the minimal standard generator of Park and Miller
    state = (48271 * state) % (2 ** 31 - 1);
    return state / (2 ** 31 - 1);
  };
  try { return work(); } finally { Math.random = random; }
}

function arrange(drawing, animate) {
  const began = performance.now();
  const layout = drawing.layout({ name: "fcose", animate, randomize: !animate, nodeSeparation: 110,
    idealEdgeLength: 90, nodeRepulsion: 9000, padding: 40, tilingPaddingVertical: 50, tilingPaddingHorizontal: 170 });
  layout.one("layoutstop", () => {
    if (!animate && drawing.zoom() > LARGEST) drawing.zoom(LARGEST).center();
    label(drawing);
    frame.dataset.arranged = String(Math.round(performance.now() - began));
  });
  repeatable(() => layout.run());
}

function count(drawing) {
  status.textContent = `${drawing.nodes().length} nodes and ${drawing.edges().length} links are shown.`;
}

// The places of nodes that come in around another one: a spiral, so that no two start at one place.
function around({ x, y }, number) {
  const angle = 2.4 * number, far = 20 + number;
  return { x: x + far * Math.cos(angle), y: y + far * Math.sin(angle) };
}

async function grow(drawing, node) {
  const room = MOST - drawing.nodes().length;
  if (room <= 0) { status.textContent = `${MOST} nodes are shown, the most there may be. Start again from a node.`; return; }
  const found = await api("GET", `${frame.dataset.source}?${new URLSearchParams({ node: node.id(), most: String(Math.min(60, room)) })}`);
  const fresh = elements(found).filter(({ data }) => drawing.getElementById(data.id).empty());
  const ids = new Set(fresh.map(({ data }) => data.id));
  const is = (id) => ids.has(id) || drawing.getElementById(id).nonempty();
  const added = drawing.add(fresh.filter(({ data }) => !data.source || (is(data.source) && is(data.target))));
  added.nodes().positions((_, number) => around(node.position(), number));
  filter(drawing);
  count(drawing);
  if (added.nodes().length) arrange(drawing, !window.matchMedia("(prefers-reduced-motion: reduce)").matches);
}

// What a node is, with the ways on from it; what is not linked to it steps back.
function show(drawing, node) {
  const { id, kind, page, text } = node.data();
  const near = node.closedNeighborhood();
  drawing.elements().removeClass("far near");
  drawing.elements().difference(near).addClass("far");
  node.connectedEdges().addClass("near");
  const name = kind.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const address = paper ? `/papers/${encodeURIComponent(paper)}#${encodeURIComponent(id.replace(/^ex:/, ""))}` : `/papers/${encodeURIComponent(id)}`;
  card.replaceChildren(element("p", { class: "note", text: [name, page && `page ${page}`].filter(Boolean).join(", ") }),
    element("p", {}, words(text || name)),
    element("p", { class: "inline" }, page || !paper ? element("a", { class: "button small", href: address, text: paper ? "Open on its page" : "Open the paper" }) : null,
      paper ? element("a", { class: "button small", href: `?${new URLSearchParams({ node: id })}`, text: "Start here" }) : null,
      button("Close", () => clear(drawing), { class: "small" })));
  card.hidden = false;
  label(drawing);
}

function clear(drawing) {
  card.hidden = true;
  drawing.elements().removeClass("far near").unselect();
  label(drawing);
}

function filter(drawing) {
  drawing.batch(() => drawing.nodes().forEach((node) => { node.toggleClass("gone", hidden.has(node.data("group"))); }));
}

function find(drawing, text) {
  const wanted = text.trim().toLowerCase();
  const found = drawing.nodes().filter((node) => wanted && node.data("text").toLowerCase().includes(wanted));
  drawing.batch(() => {
    drawing.elements().removeClass("found far near");
    if (wanted) drawing.elements().difference(found).addClass("far");
    found.addClass("found");
  });
  if (found.length) drawing.animate({ fit: { eles: found, padding: 80 }, duration: 250 });
  status.textContent = wanted ? `${found.length} of ${drawing.nodes().length} nodes have these words.` : "";
  if (!wanted) count(drawing);
  label(drawing);
}

function controls(drawing) {
  let wait = 0;
  const later = (work) => { clearTimeout(wait); wait = setTimeout(work, 120); };
  drawing.on("zoom", () => later(() => label(drawing)));
  drawing.on("tap", (event) => { if (event.target === drawing) clear(drawing); });
  drawing.on("tap", "node", (event) => {
    show(drawing, event.target);
    if (paper) grow(drawing, event.target).catch((error) => { status.textContent = error.message; });
  });
  document.getElementById("fit").addEventListener("click", () => drawing.animate({ fit: { padding: 40 }, duration: 250 }));
  document.getElementById("find").addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("words").addEventListener("input", (event) => later(() => find(drawing, event.target.value)));
  for (const toggle of document.querySelectorAll("#legend button")) {
    toggle.addEventListener("click", () => {
      const { group } = toggle.dataset;
      if (hidden.has(group)) hidden.delete(group);
      else hidden.add(group);
      toggle.setAttribute("aria-pressed", String(!hidden.has(group)));
      filter(drawing);
      label(drawing);
    });
  }
}

async function start() {
  const found = await api("GET", `${frame.dataset.source}?${frame.dataset.query}`);
  document.getElementById("loading").remove();
  frame.hidden = false;
  const drawing = window.cytoscape({ container: frame, elements: elements(found), style: looks(), maxZoom: 3 });
  controls(drawing);
  arrange(drawing, false);
  count(drawing);
}

start().catch((error) => {
  document.getElementById("loading")?.remove();
  status.textContent = error.message;
});
