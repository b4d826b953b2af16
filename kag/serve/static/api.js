// Requests to the API of this server: JSON in, JSON out; a problem becomes an error with its message and hint.

// `version` is the version of a paper that a change is made to: the server refuses it where the paper has another.
export async function api(method, address, data, version) {
  const body = data === undefined ? undefined : JSON.stringify(data);
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  if (version) headers["If-Match"] = `"${version}"`;
  const response = await fetch(address, { method, body, headers: { ...headers, Accept: "application/json" } });
  return read(response);
}

export async function read(response) {
  const result = response.headers.get("Content-Type")?.includes("json") ? await response.json() : {};
  if (!response.ok) throw new Error([result.detail ?? `The server answered ${response.status}.`, result.hint].filter(Boolean).join(" "));
  return result;
}

// Follow a job until it ends; `report` is called with each stage in words. A stream that breaks is resumed.
export function follow(job, report) {
  return new Promise((done) => {
    const events = new EventSource(`/api/v1/jobs/${encodeURIComponent(job.id)}/events`);
    events.addEventListener("stage", (event) => report(JSON.parse(event.data).stage_text));
    events.addEventListener("state", (event) => {
      const now = JSON.parse(event.data);
      if (now.open) return report(now.stage_text);
      events.close();
      done(now);
    });
  });
}

// Fetch the page again and exchange its parts that are marked `data-live`; parts in use stay as they are.
export async function refresh() {
  const response = await fetch(window.location.href, { headers: { Accept: "text/html" }, cache: "no-cache" });
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = fresh.getElementById(part.id);
    if (next && next.outerHTML !== part.outerHTML && !part.contains(document.activeElement)) part.replaceWith(next);
  }
}
