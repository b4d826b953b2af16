// What all pages do: forms that call the API and report the result, and parts that stay up to date.

import { api, follow, refresh } from "./api.js";

const BUSY = 1000;  // milliseconds between looks while jobs run
const IDLE = 5000;

document.documentElement.classList.add("scripted");

// The fields of a form as JSON; of a form that is `data-typed`, numbers and choices as such.
function fields(form, submitter) {
  const data = Object.fromEntries(new FormData(form, submitter ?? undefined));
  if (form.dataset.typed !== undefined) {
    for (const field of form.elements) {
      if (field.type === "checkbox") data[field.name] = field.checked;
      else if (field.type === "number") data[field.name] = Number(field.value);
    }
  }
  if (form.dataset.who !== undefined) data.who = document.getElementById("who").value.trim() || "somebody";
  return data;
}

async function send(form, submitter) {
  const [method, address] = form.dataset.api.split(" ");
  const status = document.getElementById(form.dataset.status ?? "") ?? form.querySelector("[role=status]");
  const report = (text) => { if (status) status.textContent = text; };
  const data = method === "DELETE" ? undefined : fields(form, submitter);  // a disabled button has no value
  if (submitter) submitter.disabled = true;
  report("Sending …");
  try {
    const result = await api(method, address, data, form.dataset.version);
    if (form.dataset.follow === "job") {
      const job = await follow(result, (stage) => report(`${stage} …`));
      report(job.state === "done" ? `${job.outcome_text}.` : `${job.message} ${job.hint}`.trim());
      if (job.state !== "done") return;
    } else report("Saved.");
    if (form.dataset.reload !== undefined) window.location.reload();
    else await refresh();
  } catch (error) {
    report(error.message);
  } finally {
    if (submitter) submitter.disabled = false;
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.api) return;
  event.preventDefault();
  send(form, event.submitter);
});

async function watch() {
  const busy = document.querySelector("[data-busy]");
  await new Promise((wake) => { setTimeout(wake, busy ? BUSY : IDLE); });
  if (!document.hidden) await refresh().catch(() => {});
  watch();
}

if (document.querySelector("[data-live]")) watch();

const who = document.getElementById("who");
if (who) {
  try {
    who.value = window.localStorage.getItem("kag-who") ?? "";
    who.addEventListener("change", () => window.localStorage.setItem("kag-who", who.value));
  } catch {
    // a browser that stores nothing
  }
}

for (const menu of document.querySelectorAll("details.menu")) {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  document.addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
}
