// What all pages do: forms that speak to the API, and tell what became of it. Nothing leaves this host.

import { api, told } from "./api.js";

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
  const status = document.getElementById(form.dataset.told ?? "") ?? form.querySelector("[role=status]");
  const say = (text) => { if (status) status.textContent = text; };
  say("…");
  try {
    const found = await api(method, address, method === "DELETE" ? undefined : fields(form, submitter), form.dataset.version);
    if (form.dataset.follow === "job") {
      const job = await told(found, (stage) => say(stage));
      say(job.state === "done" ? "Done." : `${job.state}: ${job.message} ${job.hint}`);
      if (job.state !== "done") return;
    } else say("Kept.");
    if (form.dataset.reload !== undefined) window.location.reload();
  } catch (error) {
    say(error.message);
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.api) return;
  event.preventDefault();
  send(form, event.submitter);
});

const who = document.getElementById("who");
if (who) {
  try {
    who.value = window.localStorage.getItem("kag-who") ?? "";
    who.addEventListener("change", () => window.localStorage.setItem("kag-who", who.value));
  } catch {
    // a browser that keeps nothing
  }
}
