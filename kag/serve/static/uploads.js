// Files that are dropped or chosen: each is sent by itself, with its progress; then it is one of the jobs of the page.

import { refresh } from "./api.js";
import { button, element, words } from "./viewer/dom.js";

const AT_ONCE = 3;
const form = document.getElementById("drop");
const input = document.getElementById("file");
const list = document.getElementById("uploads");
const status = document.getElementById("upload-status");
const waiting = [];
let running = 0;

function row(file) {
  const bar = element("progress", { class: "bar", max: 1, value: 0, "aria-label": `Progress of ${file.name}` });
  const stage = element("span", { class: "note", text: "Waiting" });
  const cancel = button("Cancel", () => {}, { class: "small", "aria-label": `Cancel ${file.name}` });
  const item = element("li", {}, element("div", {}, element("strong", {}, words(file.name)), " ", stage), cancel, bar);
  list.append(item);
  list.hidden = false;
  return { file, item, bar, stage, cancel, options: new FormData(form), stopped: false,
    key: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}` };
}

function start() {
  while (running < AT_ONCE && waiting.length) {
    const upload = waiting.shift();
    if (upload.stopped) continue;
    running += 1;
    send(upload).then(() => done(upload), (error) => failed(upload, error)).finally(() => { running -= 1; start(); });
  }
}

async function done(upload) {
  upload.item.remove();
  list.hidden = !list.children.length;
  status.textContent = `${upload.file.name} was received.`;
  await refresh();
}

function failed(upload, error) {
  upload.bar.remove();
  upload.cancel.remove();
  upload.stage.className = "note bad";
  upload.stage.textContent = error.message;
  status.textContent = `${upload.file.name}: ${error.message}`;
}

// XMLHttpRequest reports how much of a file was sent, which fetch does not.
function send(upload) {
  return new Promise((sent, refused) => {
    const data = new FormData();
    data.append("file", upload.file);
    for (const name of ["hold", "replace"]) if (upload.options.get(name)) data.append(name, "true");
    const request = new XMLHttpRequest();
    request.open("POST", "/api/v1/papers");
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Idempotency-Key", upload.key);
    request.responseType = "json";
    request.upload.onprogress = (event) => { upload.bar.value = event.loaded / event.total; };
    request.onload = () => {
      const problem = request.response ?? {};
      if (request.status === 202) sent(request.response[0]);
      else if (request.status === 429) setTimeout(() => send(upload).then(sent, refused), 1000 * Number(request.getResponseHeader("Retry-After") ?? 5));
      else refused(new Error([problem.detail ?? `The server answered ${request.status}.`, problem.hint].filter(Boolean).join(" ")));
    };
    request.onerror = () => refused(new Error("The server cannot be reached."));
    request.onabort = () => refused(new Error("Cancelled."));
    upload.cancel.onclick = () => request.abort();
    upload.stage.textContent = "Sending";
    request.send(data);
  });
}

function take(files) {
  for (const file of files) {
    const upload = row(file);
    upload.cancel.onclick = () => { upload.stopped = true; failed(upload, new Error("Cancelled.")); };
    waiting.push(upload);
  }
  start();
}

form.addEventListener("submit", (event) => event.preventDefault());
input.addEventListener("change", () => {
  take(input.files);
  input.value = "";
});
for (const name of ["dragenter", "dragover"]) {
  form.addEventListener(name, (event) => { event.preventDefault(); form.classList.add("over"); });
}
for (const name of ["dragleave", "drop"]) form.addEventListener(name, () => form.classList.remove("over"));
form.addEventListener("drop", (event) => { event.preventDefault(); take(event.dataTransfer.files); });
