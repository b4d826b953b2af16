// Formulas: LaTeX in the texts of a page, set by KaTeX, which is loaded where there is a formula at all.

const FORMULA = /\\\(([\s\S]+?)\\\)|\\\[([\s\S]+?)\\\]|\$\$([\s\S]+?)\$\$/g;
const LEFT_AS_IT_IS = "pre, code, textarea, select, script, style, .katex, .surface, [data-no-math]";
const PLACE = "/static/vendor/katex/";
let loading = null;

function load() {
  loading ??= new Promise((done, failed) => {
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `${PLACE}katex.min.css` });
    const script = Object.assign(document.createElement("script"), { src: `${PLACE}katex.min.js` });
    script.addEventListener("load", () => done(window.katex));
    script.addEventListener("error", failed);
    document.head.append(style, script);
  });
  return loading;
}

function formulas(root) {
  const found = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    FORMULA.lastIndex = 0;
    if (FORMULA.test(node.data) && !node.parentElement?.closest(LEFT_AS_IT_IS)) found.push(node);
  }
  return found;
}

// One formula as an element; null for LaTeX that KaTeX cannot read, which stays as it is.
function drawn(katex, source, displayMode) {
  const made = document.createElement("span");
  try {
    katex.render(source, made, { displayMode, throwOnError: true, strict: false, trust: false, maxSize: 20, maxExpand: 200 });
    return made;
  } catch {
    return null;
  }
}

// OCR sets blanks around raised and lowered signs. They stand at the word before; the number of an isotope at its symbol.
const SCRIPT = /^\s*[\^_]/;
const ISOTOPE = /^\s*\^\s*\{?\s*\d+m?\s*\}?\s*$/;
const SYMBOL = /^\s+(?=[A-Z][a-z]?(?![a-z]))/;

function set(katex, node) {
  const parts = [];
  let from = 0;
  for (const match of node.data.matchAll(FORMULA)) {
    const made = drawn(katex, match[1] ?? match[2] ?? match[3], match[1] === undefined);
    if (!made) continue;
    const before = node.data.slice(from, match.index);
    from = match.index + match[0].length;
    const symbol = ISOTOPE.test(match[1] ?? "") ? node.data.slice(from).match(SYMBOL) : null;
    if (symbol) from += symbol[0].length;
    parts.push(SCRIPT.test(match[1] ?? "") && !symbol ? before.trimEnd() : before, made);
  }
  if (!parts.length) return;
  const rest = node.data.slice(from).replace(/^\s+(?=[),.;:\]])/, "");
  node.replaceWith(...parts, rest);
}

export async function setFormulas(root) {
  const nodes = formulas(root);
  if (!nodes.length) return;
  const katex = await load();
  for (const node of nodes) if (node.isConnected) set(katex, node);
}

setFormulas(document.body);
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) {
    for (const node of addedNodes) if (node.nodeType === Node.ELEMENT_NODE && !node.closest(".katex")) setFormulas(node);
  }
}).observe(document.body, { childList: true, subtree: true });
