// A question whose answer is told while it is made: steps, searches, passages, then claims as they pass the gate.

import { read } from "./api.js";
import { badge, element, list, marked, words } from "./viewer/dom.js";

const form = document.getElementById("ask");
const status = document.getElementById("asking");
const steps = document.getElementById("steps");
const answer = document.getElementById("answer");

function link(one) {
  const node = one.node.replace(/^.*\//, "");
  return element("a", { href: `/papers/${encodeURIComponent(one.paper)}#${encodeURIComponent(node)}` }, words(`page ${one.page}, ${one.paper}`));
}

function claim(row) {
  const checked = row.verdict ? badge(row.verdict.status === "supported", `${row.verdict.status} by ${row.verdict.checker}`) : badge(false, "not judged");
  return element("div", {}, element("p", { class: "said" }, words(row.text)),
    element("p", { class: "note" }, badge(true, "quoted"), " ", checked),
    ...row.tables.map((text) => element("pre", { class: "table-text", tabindex: "0", role: "group", "aria-label": "The table", text })),
    list("ul", row.evidence.slice(0, 30).map((one) => element("div", {}, marked({ before: "", quote: one.quote, after: "" }), link(one))), { class: "bare" }));
}

function passage(one) {
  const letters = [...one.text]; // offsets count characters, not UTF-16 units
  const part = (start, end) => letters.slice(start, end).join("");
  return element("li", {}, marked({ before: part(0, one.start), quote: part(one.start, one.end), after: part(one.end) }),
    link({ node: one.nodes[0], page: one.page, paper: one.paper }), element("span", { class: "note" }, words(` ${one.section}`)));
}

function step(text) {
  steps.hidden = false;
  steps.append(element("li", {}, words(text)));
}

const heard = {
  asked: (data) => answer.replaceChildren(element("h2", {}, words(data.question)), element("ol", { class: "claims" })),
  step: (data) => step(`${data.kind} ${data.name}`),
  search: (data) => step(`searched: ${data.text.slice(0, 300)}`),
  passage: (data) => step(`passage on page ${data.page} of ${data.paper}`),
  claim: (data) => answer.querySelector("ol").append(element("li", { class: "claim-row" }, claim(data))),
  dropped: (data) => step(`left out: ${data.text} (${data.why})`),
  problem: (data) => { throw new Error([data.detail, data.hint].filter(Boolean).join(" ")); },
  answer: (data) => {
    answer.append(element("p", { class: "note" }, words(`${data.label}. `), element("a", { href: `/answers/${encodeURIComponent(data.id)}`, text: "Keep this address" })));
    if (!data.found) answer.querySelector("ol").replaceWith(element("p", { class: "none" }, words(data.answer)));
    if (data.passages?.length) answer.append(element("ol", { class: "passages" }, ...data.passages.map(passage)));
    for (const note of data.notes ?? []) answer.append(element("p", { class: "note" }, words(note)));
    if (data.stopped) answer.append(element("p", { class: "problem" }, words(`The model was stopped: ${data.stopped}`)));
  },
};

// Events out of a stream: blocks parted by an empty line, each with its name and one line of JSON.
async function listen(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const lines = Object.fromEntries(block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
      if (lines.event) heard[lines.event]?.(JSON.parse(lines.data));
    }
  }
}

async function ask() {
  const given = new FormData(form);
  const body = { question: given.get("question"), paper: given.get("paper"), ...(given.get("mode") ? { mode: given.get("mode") } : {}) };
  steps.replaceChildren();
  steps.hidden = true;
  status.textContent = "Asking …";
  window.history.replaceState(null, "", `/ask?${new URLSearchParams({ question: body.question, paper: body.paper })}`);
  try {
    const response = await fetch("/api/v1/ask", { method: "POST", body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" } });
    if (!response.ok) await read(response);
    await listen(response);
    status.textContent = "Answered.";
  } catch (error) {
    status.textContent = error.message;
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
