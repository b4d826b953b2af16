// Speaking to the API of this server: JSON in, JSON out; a problem becomes an error with its words.

// `version` is what a change is made to: the server refuses it where the paper is another one by now.
export async function api(method, address, data, version) {
  const body = data === undefined ? undefined : JSON.stringify(data);
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  if (version) headers["If-Match"] = `"${version}"`;
  const response = await fetch(address, { method, body, headers: { ...headers, Accept: "application/json" } });
  return read(response);
}

export async function read(response) {
  const found = response.headers.get("Content-Type")?.includes("json") ? await response.json() : {};
  if (!response.ok) throw new Error([found.detail ?? `The server said ${response.status}.`, found.hint].filter(Boolean).join(" "));
  return found;
}

// Follow a job until it is done; `say` hears each stage. A stream that breaks goes on where it was.
export function told(job, say) {
  return new Promise((done) => {
    const events = new EventSource(`/api/v1/jobs/${encodeURIComponent(job.id)}/events`);
    events.addEventListener("stage", (event) => say(JSON.parse(event.data).stage));
    events.addEventListener("state", (event) => {
      const now = JSON.parse(event.data);
      if (now.state === "queued") say("waiting");
      if (["queued", "running"].includes(now.state)) return;
      events.close();
      done(now);
    });
  });
}
