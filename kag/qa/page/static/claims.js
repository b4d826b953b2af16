// Answers: each claim with its badge, its quotes in their context, and a click to where they are printed.

import { context, counted, pageWords, titled } from "./text.js";
import { badge, button, element, list, longList, marked, table, words } from "./dom.js";

const PASSAGES = "Passages that may answer this";
const NONE = "No answer was found.";

export function drawAnswers(data, sheets) {
  const claims = data.answers.flatMap((answer) => answer.claims);
  const quoted = claims.filter((claim) => claim.quoted).length;
  const supported = claims.filter((claim) => claim.status === "supported").length;
  const head = claims.length ? element("p", { class: "note",
    text: `${counted(data.answers.length, "answer")}, ${counted(claims.length, "claim")}, ${quoted} quoted, ${supported} supported.` }) : null;
  const others = data.others
    ? element("p", { class: "note", text: `${counted(data.others, "answer")} about other papers not shown.` }) : null;
  const unchecked = said("What is not checked, because no graph can prove it", data.unchecked);
  return [head, others, ...data.answers.map((answer) => drawAnswer(answer, data, sheets)), unchecked].filter(Boolean);
}

function drawAnswer(answer, data, sheets) {
  const claims = answer.claims.map((claim, number) => drawClaim(claim, `Claim ${number + 1}`, data, sheets, `claim-${answer.id}-${number}`));
  return element("article", { class: "answer", id: `answer-${answer.id}`, tabindex: "-1" },
    element("h3", {}, words(answer.question)),
    element("p", { class: "note" }, words(answer.label)),
    answer.claims.length ? list("ol", claims) : element("p", {}, element("strong", { text: answer.passages.length ? PASSAGES : NONE })),
    answer.passages.length ? list("ol", answer.passages.map((passage, number) =>
      drawPassage(passage, `Passage ${number + 1}`, data, sheets, `passage-${answer.id}-${number}`))) : null,
    problems("This answer does not verify", answer.issues),
    said("Searches", answer.searches),
    said("Left out, because the quotes do not hold or do not support the statement", answer.dropped.map(([text, why]) => `${text} (${why})`)),
    answer.stopped ? element("p", { class: "problem" }, words(`The model was stopped: ${answer.stopped}`)) : null);
}

function problems(title, issues) {
  if (!issues.length) return null;
  return element("div", { class: "problem" }, element("strong", { text: title }), list("ul", issues.map((one) => words(one))));
}

function said(title, texts) {
  if (!texts.length) return null;
  return element("details", {}, element("summary", { text: `${title} (${texts.length})` }),
    list("ul", texts.map((text) => words(text))));
}

// What was checked of a claim, in words.
function state({ quoted, status, checker }) {
  if (!quoted) return "not quoted";
  return status ? `quoted, and ${status} by ${checker}` : "quoted, not judged";
}

function drawClaim(claim, title, data, sheets, id) {
  const places = claim.evidence.flatMap((evidence) => evidence.places);
  const quotes = element("div", { class: "quotes", hidden: true });
  const open = button(claim.text, () => {
    const first = !quotes.hasChildNodes();
    if (first) quotes.append(longList("ol", claim.evidence, (one) => drawEvidence(one, data, sheets), 30));
    quotes.hidden = false;
    open.setAttribute("aria-expanded", "true");
    const only = claim.evidence.length === 1 ? quoted(claim.evidence[0], data) : {};
    sheets.show({ title, note: claim.text, places, spots: claim.evidence.flatMap(spots), lines: lines(claim), ...only,
      at: startOf(claim, Number(open.dataset.place ?? 0)) }, open);
    delete open.dataset.place;
  }, { class: "claim", id, "aria-expanded": "false" });
  const where = places.length ? `${counted(places.length, "place")}, ${pageWords(places)}` : "no place";
  return element("div", {}, open,
    element("p", { class: "meta" }, badge(claim.quoted && claim.status === "supported", state(claim)), where),
    problems(claim.quoted ? "Objections" : "Not quoted", claim.issues), quotes);
}

// A place to look, with the sentence or row that matches best marked; it claims nothing, so it has no badge.
function drawPassage(passage, title, data, sheets, id) {
  const [start, end] = passage.mark;
  const said = { before: passage.text.slice(0, start), quote: passage.text.slice(start, end), after: passage.text.slice(end) };
  const places = passage.evidence.flatMap((evidence) => evidence.places);
  const note = [`page ${passage.page}`, passage.section].filter(Boolean).join(" · ");
  const open = button(`${title}, ${note}`, () =>
    sheets.show({ title, note, places, spots: passage.evidence.flatMap(spots), lines: lines(passage), said }, open),
    { class: "passage", id });
  return element("div", {}, open, marked(said), problems("Not quoted", passage.issues));
}

// The quote where it stands in its text; alone where it does not stand there.
export function spoken(evidence, data) {
  if (!evidence.span) return { before: "", quote: evidence.quote, after: "" };
  return context(data.nodes[evidence.node].text, ...evidence.span);
}

// What is shown of a quote: the table that it is a row of, or the words around it.
function quoted(evidence, data) {
  const float = evidence.span && data.floats.find((one) => one.node === evidence.node && one.rows.length);
  return float ? { float, span: evidence.span } : { said: spoken(evidence, data) };
}

function lines({ evidence }) {
  return evidence.flatMap((one) => one.lines ?? []);
}

// Where among the places of a claim those of its evidence number `wanted` begin.
function startOf({ evidence }, wanted) {
  const before = evidence.slice(0, wanted).reduce((sum, one) => sum + one.places.length, 0);
  return evidence[wanted]?.places.length ? before : 0;
}

function spots({ node, span }) {
  return node === undefined ? [] : [{ number: node, span }];
}

function drawEvidence(evidence, data, sheets) {
  const shown = quoted(evidence, data);
  const node = data.nodes[evidence.node];
  const title = node ? titled(node) : evidence.name;
  const open = button(`${title}, page ${evidence.page}`, () => {
    const note = [evidence.name, node?.section].filter(Boolean).join(" · ");
    sheets.show({ title, note, places: evidence.places, spots: spots(evidence), lines: evidence.lines, ...shown }, open);
  });
  const lost = evidence.span ? null
    : element("p", { class: "problem", text: "This quote does not stand at the place it names." });
  return element("div", {}, open, shown.float ? table(shown.float, shown.span) : marked(shown.said), lost);
}
