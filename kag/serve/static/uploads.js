// Files that are dropped or chosen: each is sent by itself, with its progress, and followed until it is a paper.

import { api, told } from "./api.js";
import { button, element, words } from "./viewer/dom.js";

const AT_ONCE = 3;
const STAGES = ["unpacking", "looking", "reading", "read", "pictures", "adding", "search index", "done"];
const form = document.getElementById("drop");
const list = document.getElementById("uploads");
const waiting = [];
let running = 0;

function row(file) {
  const bar = element("progress", { max: 100, value: 0, "aria-label": `Progress of ${file.name}` });
  const stage = element("span", { text: "waiting" });
  const cancel = button("Cancel", () => {}, { "aria-label": `Cancel ${file.name}` });
  const item = element("li", {}, words(file.name), " ", bar, " ", stage, " ", cancel);
  list.append(item);
  return { file, item, bar, stage, cancel, options: new FormData(form), stopped: false };
}

function start() {
  while (running < AT_ONCE && waiting.length) {
    const one = waiting.shift();
    running += 1;
    one.done = process(one).catch((error) => { one.stage.textContent = error.message; one.item.classList.add("problem"); })
      .finally(() => { running -= 1; one.cancel.remove(); start(); });
  }
}

async function process(one) {
  if (one.stopped) return;
  const job = await send(one);
  one.cancel.onclick = () => api("DELETE", `/api/v1/jobs/${job.id}`);
  const ended = await told(job, (stage) => {
    one.stage.textContent = stage;
    one.bar.value = 30 + (70 * (STAGES.indexOf(stage) + 1)) / STAGES.length;
  });
  one.bar.value = 100;
  one.stage.textContent = ended.state === "done" ? "done" : `${ended.state} ${ended.message} ${ended.hint}`;
  if (ended.state === "done" && ended.paper && !ended.result.held) {
    one.item.append(" ", element("a", { href: `/papers/${encodeURIComponent(ended.paper)}` }, words(`open ${ended.paper}`)));
  }
}

// XMLHttpRequest tells how much of a file was sent, which fetch does not.
function send(one) {
  return new Promise((sent, failed) => {
    const data = new FormData();
    data.append("file", one.file);
    for (const name of ["hold", "replace"]) if (one.options.get(name)) data.append(name, "true");
    const request = new XMLHttpRequest();
    request.open("POST", "/api/v1/papers");
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Idempotency-Key", crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`);
    request.upload.onprogress = (event) => { one.bar.value = (30 * event.loaded) / Math.max(event.total, 1); };
    request.onload = () => {
      let found = {};
      try { found = JSON.parse(request.responseText); } catch { /* told by the status */ }
      if (request.status === 202) sent(found[0]);
      else if (request.status === 429) setTimeout(() => send(one).then(sent, failed), 1000 * Number(request.getResponseHeader("Retry-After") ?? 5));
      else failed(new Error([found.detail ?? `The server said ${request.status}.`, found.hint].filter(Boolean).join(" ")));
    };
    request.onerror = () => failed(new Error("The server cannot be reached."));
    request.onabort = () => failed(new Error("cancelled"));
    one.cancel.onclick = () => { one.stopped = true; request.abort(); };
    one.stage.textContent = "sending";
    request.send(data);
  });
}

function take(files) {
  for (const file of files) {
    const one = row(file);
    one.cancel.onclick = () => { one.stopped = true; one.stage.textContent = "cancelled"; };
    waiting.push(one);
  }
  start();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  take(document.getElementById("file").files);
  document.getElementById("file").value = "";
});
for (const name of ["dragenter", "dragover"]) {
  form.addEventListener(name, (event) => { event.preventDefault(); form.classList.add("over"); });
}
for (const name of ["dragleave", "drop"]) form.addEventListener(name, () => form.classList.remove("over"));
form.addEventListener("drop", (event) => { event.preventDefault(); take(event.dataTransfer.files); });
