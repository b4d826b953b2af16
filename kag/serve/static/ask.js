// A question whose steps are shown while it is answered; the answer itself is drawn by the server.

import { read } from "./api.js";
import { element, words } from "./viewer/dom.js";

const form = document.getElementById("ask");
const status = document.getElementById("asking");
const steps = document.getElementById("steps");
const answer = document.getElementById("answer");
const waiting = document.getElementById("waiting");

function step(text) {
  const last = steps.lastElementChild;
  if (!text || last?.textContent === text) return;
  last?.classList.remove("now");
  steps.append(element("li", { class: "now" }, words(text)));
  steps.hidden = false;
}

const events = {
  step: (data) => step(data.text),
  search: (data) => step(`Searching for “${data.text.slice(0, 120)}”`),
  passage: (data) => step(`Reading page ${data.page} of ${data.paper}`),
  claim: () => step("Checked a claim against its quotes"),
  dropped: (data) => step(`Left out: ${data.text.slice(0, 120)} (${data.why})`),
  problem: (data) => { throw new Error([data.detail, data.hint].filter(Boolean).join(" ")); },
};

// Events of a stream: blocks separated by an empty line, each with its name and one line of JSON. Returns the answer.
async function listen(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let last = null;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return last;
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const lines = Object.fromEntries(block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
      const data = lines.event ? JSON.parse(lines.data) : null;
      if (lines.event === "answer") last = data;
      else if (lines.event) events[lines.event]?.(data);
    }
  }
}

// The answer as the server draws it on its own page.
async function drawn(id) {
  const response = await fetch(`/answers/${encodeURIComponent(id)}`, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return page.getElementById("answer");
}

async function ask() {
  const given = Object.fromEntries(new FormData(form));
  const body = { question: given.question, paper: given.paper, ...(given.mode ? { mode: given.mode } : {}) };
  steps.replaceChildren();
  answer.replaceChildren();
  waiting.hidden = false;
  status.textContent = "Answering …";
  window.history.replaceState(null, "", `/ask?${new URLSearchParams({ question: body.question, paper: body.paper })}`);
  try {
    const response = await fetch("/api/v1/ask", { method: "POST", body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" } });
    if (!response.ok) await read(response);
    const result = await listen(response);
    answer.replaceChildren(...(await drawn(result.id)).childNodes);
    status.textContent = result.found ? "Answered." : "Done.";
    document.dispatchEvent(new CustomEvent("kag:drawn", { detail: answer }));
  } catch (error) {
    status.textContent = error.message;
  } finally {
    waiting.hidden = true;
    steps.lastElementChild?.classList.remove("now");
    if (steps.children.length > 4) steps.replaceChildren(...[...steps.children].slice(-4));
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});

document.getElementById("examples")?.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault();
  form.elements.question.value = link.dataset.question;
  form.elements.paper.value = link.dataset.paper;
  ask();
});
