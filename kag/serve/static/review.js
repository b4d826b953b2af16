// The parts of a page beside its picture: a part is framed while it is looked at, a click on the picture leads to its part.

import { element } from "./viewer/dom.js";
import { place } from "./viewer/crops.js";

const surface = document.querySelector("#page-picture .surface");
const rows = [...document.querySelectorAll(".review-row")];

function frame(row) {
  for (const old of surface.querySelectorAll(".mark")) old.remove();
  const marks = JSON.parse(row.dataset.boxes).map((box) => place(box, element("div", { class: "mark" })));
  surface.append(...marks);
}

function boxes(row) {
  return JSON.parse(row.dataset.boxes).map((box) => {
    const made = place(box, element("div", { class: "block" }));
    made.addEventListener("click", () => {
      frame(row);
      row.scrollIntoView({ block: "center" });
      row.querySelector("summary").focus();
    });
    return made;
  });
}

if (surface) {
  const picture = surface.querySelector("img");
  surface.style.aspectRatio = `${picture.getAttribute("width")} / ${picture.getAttribute("height")}`;
  surface.append(...rows.flatMap(boxes));
  for (const row of rows) {
    row.addEventListener("mouseenter", () => frame(row));
    row.addEventListener("focusin", () => frame(row));
  }
  const chosen = document.querySelector(".review-row.quoted");
  if (chosen) {
    frame(chosen);
    chosen.scrollIntoView({ block: "center" });
  }
}
