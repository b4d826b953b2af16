// Jobs that are under way: their stage as it changes, and the page anew when one is done.

import { told } from "./api.js";

for (const row of document.querySelectorAll("tr[data-job]")) {
  if (!["queued", "running"].includes(row.dataset.state)) continue;
  told({ id: row.dataset.job }, (stage) => { row.querySelector(".stage").textContent = stage; }).then(() => window.location.reload());
}
