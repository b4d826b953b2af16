// A paper's page: the evidence viewer of `kag report`, with its values from the API and pictures by address.

import { api } from "./api.js";
import { showPaper } from "./viewer/main.js";

globalThis.setsFormulas = true;  // texts are shown with their LaTeX: math.js sets it
const id = document.querySelector("script[data-paper]").dataset.paper;
const data = await api("GET", `/api/v1/papers/${encodeURIComponent(id)}/evidence`);
for (const plain of document.querySelectorAll("[data-plain]")) plain.remove();
document.getElementById("tabs").hidden = false;
showPaper(data);
