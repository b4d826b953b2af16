// Answers: each claim with its badge, its quotes in their context, and a click to where they are printed.

import { context, counted, pageWords, titled } from "./text.js";
import { badge, button, element, list, longList, marked, table, words } from "./dom.js";

export function drawAnswers(data, sheets) {
  const claims = data.answers.flatMap((answer) => answer.claims);
  const quoted = claims.filter((claim) => claim.quoted).length;
  const supported = claims.filter((claim) => claim.status === "supported").length;
  const head = element("p", { class: "note",
    text: `${counted(data.answers.length, "answer")}, ${counted(claims.length, "claim")}, ${quoted} quoted, ${supported} supported.` });
  const others = data.others
    ? element("p", { class: "note", text: `${counted(data.others, "answer")} about other papers left out.` }) : null;
  const unchecked = element("p", { class: "note", text: `Not checked, since no graph can prove it: ${data.unchecked.join(", ")}.` });
  return [head, others, unchecked, ...data.answers.map((answer) => drawAnswer(answer, data, sheets))];
}

function drawAnswer(answer, data, sheets) {
  const claims = answer.claims.map((claim, number) => drawClaim(claim, `Claim ${number + 1}`, data, sheets, `claim-${answer.id}-${number}`));
  return element("article", { class: "answer", id: `answer-${answer.id}`, tabindex: "-1" },
    element("h3", {}, words(answer.question)),
    element("p", { class: "note" }, words([answer.id, answer.mode, answer.label].filter(Boolean).join(" · "))),
    answer.claims.length ? list("ol", claims) : element("p", { class: "none" }, words(answer.text)),
    answer.passages.length ? list("ol", answer.passages.map((passage, number) =>
      drawPassage(passage, `Passage ${number + 1}`, data, sheets))) : null,
    problems("What the answer shows does not hold", answer.issues),
    said("Searched", answer.searches),
    said("Left out, because its quotes do not hold or do not support it", answer.dropped.map(([text, why]) => `${text} (${why})`)),
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

function drawClaim(claim, title, data, sheets, id) {
  const places = claim.evidence.flatMap((evidence) => evidence.places);
  const quotes = element("div", { class: "quotes", hidden: true });
  const open = button(claim.text, () => {
    const first = !quotes.hasChildNodes();
    if (first) quotes.append(longList("ol", claim.evidence, (one) => drawEvidence(one, data, sheets), 30));
    quotes.hidden = false;
    open.setAttribute("aria-expanded", "true");
    const only = claim.evidence.length === 1 ? quoted(claim.evidence[0], data) : {};
    sheets.show({ title, note: claim.text, places, spots: claim.evidence.flatMap(spots), ...only }, open);
  }, { class: "claim", id, "aria-expanded": "false" });
  const where = places.length ? `${counted(places.length, "place")}, ${pageWords(places)}` : "no place";
  return element("div", {}, open,
    element("p", { class: "note" }, badge(claim.quoted, claim.quoted ? "quoted" : "not quoted"),
      claim.status ? badge(claim.quoted && claim.status === "supported", `${claim.status} by ${claim.checker}`)
        : badge(false, "not judged"),
      ` ${where}`),
    problems(claim.quoted ? "What speaks against it" : "Not quoted", claim.issues), quotes);
}

// A place to look, with the sentence or row that matches best marked; it claims nothing, so it has no badge.
function drawPassage(passage, title, data, sheets) {
  const [start, end] = passage.mark;
  const said = { before: passage.text.slice(0, start), quote: passage.text.slice(start, end), after: passage.text.slice(end) };
  const places = passage.evidence.flatMap((evidence) => evidence.places);
  const note = [`page ${passage.page}`, passage.section].filter(Boolean).join(" · ");
  const open = button(`${title}, ${note}`, () =>
    sheets.show({ title, note, places, spots: passage.evidence.flatMap(spots), said }, open), { class: "passage" });
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

function spots({ node, span }) {
  return node === undefined ? [] : [{ number: node, span }];
}

function drawEvidence(evidence, data, sheets) {
  const shown = quoted(evidence, data);
  const node = data.nodes[evidence.node];
  const title = node ? titled(node) : evidence.name;
  const open = button(`${title}, page ${evidence.page}`, () => {
    const note = [evidence.name, node?.section].filter(Boolean).join(" · ");
    sheets.show({ title, note, places: evidence.places, spots: spots(evidence), ...shown }, open);
  });
  const lost = evidence.span ? null
    : element("p", { class: "problem", text: "This quote does not stand at the place it names." });
  return element("div", {}, open, shown.float ? table(shown.float, shown.span) : marked(shown.said), lost);
}
