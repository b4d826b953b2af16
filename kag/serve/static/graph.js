// The neighbourhood of a node as a drawing: never more than `MOST` nodes; a click adds what is around a node.

import { api } from "./api.js";

const MOST = 500;
const FINE = 100;  // nodes that are laid out with all care
const frame = document.getElementById("graph");
const status = document.getElementById("graph-status");
const paper = frame.dataset.paper;
const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function elements({ nodes, edges }) {
  return [
    ...nodes.map((one) => ({ data: { id: one.id, text: one.text.slice(0, 40) || one.id, kind: one.kind, degree: one.degree } })),
    ...edges.map((one) => ({ data: { id: `${one.source} ${one.label} ${one.target}`, source: one.source, target: one.target, label: one.label } })),
  ];
}

function looks() {
  const [ink, link, line, ground] = ["--ink", "--accent", "--line", "--surface"].map(style);
  return [
    { selector: "node", style: { label: "data(text)", color: ink, "background-color": link, "font-size": 9, width: 14, height: 14,
      "text-wrap": "ellipsis", "text-max-width": 110, "text-background-color": ground, "text-background-opacity": 0.8, "min-zoomed-font-size": 7 } },
    { selector: "node[kind = 'Section'], node[kind = 'Document']", style: { shape: "round-rectangle", width: 20 } },
    { selector: "node[kind = 'BibliographicReference']", style: { shape: "diamond" } },
    { selector: "node[kind = 'Figure'], node[kind = 'Table']", style: { shape: "rectangle" } },
    { selector: "edge", style: { width: 1, "line-color": line, "target-arrow-color": line, "target-arrow-shape": "triangle", "arrow-scale": 0.6, "curve-style": "bezier" } },
    { selector: ":selected", style: { "border-width": 3, "border-color": style("--mark") } },
  ];
}

function arranged(drawing, animate) {
  const began = performance.now();
  const quality = drawing.nodes().length > FINE ? "draft" : "default";  // fine work on many nodes holds the page up
  const layout = drawing.layout({ name: "fcose", quality, animate, randomize: !animate || quality === "draft", nodeSeparation: 60,
    tilingPaddingVertical: 40, tilingPaddingHorizontal: 130 });
  layout.one("layoutstop", () => { frame.dataset.arranged = String(Math.round(performance.now() - began)); });
  layout.run();
}

async function grow(drawing, node) {
  const room = MOST - drawing.nodes().length;
  if (room <= 0) { status.textContent = `${MOST} nodes are shown, which is all there may be.`; return; }
  const found = await api("GET", `${frame.dataset.source}?${new URLSearchParams({ node, most: String(Math.min(60, room)) })}`);
  const fresh = elements(found).filter(({ data }) => drawing.getElementById(data.id).empty());
  drawing.add(fresh.filter(({ data }) => !data.source || (known(drawing, fresh, data.source) && known(drawing, fresh, data.target))));
  status.textContent = `${drawing.nodes().length} nodes and ${drawing.edges().length} links are shown.`;
  arranged(drawing, !window.matchMedia("(prefers-reduced-motion: reduce)").matches);
}

function known(drawing, fresh, id) {
  return drawing.getElementById(id).nonempty() || fresh.some(({ data }) => data.id === id);
}

async function start() {
  const query = paper ? `?${new URLSearchParams({ node: frame.dataset.node })}` : "";
  const found = await api("GET", frame.dataset.source + query);
  if (!found.nodes.length) return;
  frame.hidden = false;
  const drawing = window.cytoscape({ container: frame, elements: elements(found), style: looks(), maxZoom: 3 });
  arranged(drawing, false);
  drawing.on("tap", "node", (event) => {
    if (paper) grow(drawing, event.target.id());
    else window.location.assign(`/papers/${encodeURIComponent(event.target.id())}`);
  });
  status.textContent = `${drawing.nodes().length} nodes and ${drawing.edges().length} links are shown.`;
}

start().catch((error) => { status.textContent = error.message; });
