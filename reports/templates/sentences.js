// Files of data call crossbank(kind, candidate, piece, content) when they have been loaded.
const loaded = {rows: {}, trees: {}}, waiting = {};
const PAGE = 100, SIGNS = ["", " ≠", " −", " +"];
const $ = id => document.getElementById(id);

function crossbank(kind, candidate, piece, content) {
  loaded[kind][candidate + "-" + piece] = content;
  const key = kind + "-" + candidate + "-" + piece;
  (waiting[key] || []).forEach(go => go(content));
  delete waiting[key];
}

function data(kind, candidate, piece) {
  const there = loaded[kind][candidate + "-" + piece];
  if (there) return Promise.resolve(there);
  const key = kind + "-" + candidate + "-" + piece;
  return new Promise(go => {
    if (waiting[key]) return waiting[key].push(go);
    waiting[key] = [go];
    const script = document.createElement("script");
    script.src = "data/" + key + ".js";
    document.head.append(script);
  });
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function drawing(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

// A tree: words below, each node over the middle of its words, one level for each node on the way down.
function tree(words, [labels, parents, marks, tags, over, wrong]) {
  const width = words.map((word, i) => Math.max(word.length, tags[i].length + 2 * wrong[i], 2) * 8 + 14);
  const middle = [];
  width.reduce((left, wide, i) => (middle[i] = left + wide / 2, left + wide), 4);
  const low = labels.map(() => Infinity), high = labels.map(() => -Infinity), level = labels.map(() => 0);
  over.forEach((node, word) => {
    for (; node >= 0; node = parents[node]) {
      low[node] = Math.min(low[node], middle[word]);
      high[node] = Math.max(high[node], middle[word]);
    }
  });
  parents.forEach((parent, node) => { level[node] = parent < 0 ? 0 : level[parent] + 1; });
  const deepest = level.reduce((one, other) => Math.max(one, other), 0) + 1;
  const x = node => (low[node] + high[node]) / 2, y = depth => 16 + depth * 40;
  const total = width.reduce((sum, wide) => sum + wide, 8);
  const svg = drawing("svg", {width: total, height: y(deepest) + 34, role: "img"});
  const line = (x1, y1, x2, y2) => svg.append(drawing("line", {x1, y1: y1 + 5, x2, y2: y2 - 13}));
  parents.forEach((parent, node) => { if (parent >= 0) line(x(parent), y(level[parent]), x(node), y(level[node])); });
  over.forEach((node, word) => { if (node >= 0) line(x(node), y(level[node]), middle[word], y(deepest)); });
  labels.forEach((label, node) => svg.append(
    drawing("text", {x: x(node), y: y(level[node]), class: "m" + marks[node]}, (label || "·") + SIGNS[marks[node]])));
  words.forEach((word, i) => svg.append(
    drawing("text", {x: middle[i], y: y(deepest), class: "m" + wrong[i]}, tags[i] + SIGNS[wrong[i]]),
    drawing("text", {x: middle[i], y: y(deepest) + 20}, word)));
  return svg;
}

function trees(shown, candidate) {
  const box = element("div", "", {class: "trees"});
  if (shown.gold) {
    box.append(element("h4", "Gold"), tree(shown.words, shown.gold));
    box.append(element("h4", candidate), tree(shown.words, shown.candidate));
  }
  if (shown.arcs && shown.arcs.length) {
    const list = element("ul");
    for (const [word, head, relation, found, called] of shown.arcs)
      list.append(element("li", `${word} ← ${head} (${relation}) in gold, ${found} (${called}) in ${candidate}`));
    box.append(element("h4", "Arcs that differ"), list);
  }
  if (!box.childNodes.length) box.append(element("p", "This sentence could not be scored: there is nothing to draw."));
  return box;
}

let request = 0;
async function show() {
  const mine = ++request, place = +$("candidate").value, about = INDEX[place];
  const type = $("type").value, measure = +$("measure").value, most = +$("most").value / 100;
  const wanted = $("text").value.trim().toLowerCase();
  location.replace("#" + new URLSearchParams({treebank: about.treebank, candidate: about.candidate, type, text: wanted}));
  const all = !type && !wanted && most >= 1, found = [];
  $("list").replaceChildren();
  for (let piece = 0; piece * ROWS < about.sentences; piece++) {
    $("said").textContent = `Looking through ${about.sentences.toLocaleString("en")} sentences …`;
    const rows = await data("rows", place, piece);
    if (mine !== request) return;
    rows.forEach((row, i) => {
      const [id, words, , scores, types] = row;
      if (type && !types.includes(type)) return;
      if (most < 1 && !(scores[measure] !== null && scores[measure] <= most)) return;
      if (wanted && !words.toLowerCase().includes(wanted) && id.toLowerCase() !== wanted) return;
      found.push([piece * ROWS + i, row]);
    });
    if (piece === 0) list(found.slice(0, PAGE), place);
    if (all) break;
  }
  const count = all ? about.sentences : found.length;
  $("said").textContent = count ? `${count.toLocaleString("en")} of ${about.sentences.toLocaleString("en")} sentences` : "No sentence is like this.";
  let shown = Math.min(PAGE, found.length);
  $("list").replaceChildren();
  list(found.slice(0, shown), place);
  $("more").hidden = shown >= count;
  $("more").onclick = async () => {
    if (all && shown + PAGE > found.length && found.length < count)
      (await data("rows", place, Math.ceil(found.length / ROWS))).forEach(row => found.push([found.length, row]));
    list(found.slice(shown, shown + PAGE), place);
    shown = Math.min(shown + PAGE, found.length);
    $("more").hidden = shown >= count;
  };
}

function list(rows, place) {
  const about = INDEX[place];
  for (const [at, [id, words, reason, scores, types]] of rows) {
    const item = element("li"), button = element("button", "", {type: "button", class: "row", "aria-expanded": "false"});
    const figures = reason || scores.map((score, i) => `${about.measures[i]} ${score === null ? "–" : (100 * score).toFixed(1)}`).join(" · ");
    button.append(element("span", id, {class: "id"}), element("span", words), element("span", figures, {class: "figures"}));
    if (types.length) button.append(element("span", types.map(type => about.types[type]).join(", "), {class: "types"}));
    button.onclick = async () => {
      if (item.lastChild !== button) {
        item.lastChild.remove();
        return button.setAttribute("aria-expanded", "false");
      }
      const shown = (await data("trees", place, Math.floor(at / TREES)))[at % TREES];
      item.append(trees(shown, about.candidate));
      button.setAttribute("aria-expanded", "true");
    };
    item.append(button);
    $("list").append(item);
  }
}

function options(select, pairs) {
  select.replaceChildren(...pairs.map(([value, text]) => element("option", text, {value})));
}

function choose() {
  const about = INDEX[+$("candidate").value];
  options($("type"), [["", "any"], ...Object.entries(about.types)]);
  options($("measure"), about.measures.map((name, i) => [i, name]));
}

function start() {
  if (!INDEX.length) return void ($("said").textContent = "This study has no candidates.");
  options($("candidate"), INDEX.map((one, i) => [i, `${one.treebank}: ${one.candidate}`]));
  const asked = new URLSearchParams(location.hash.slice(1));
  const place = INDEX.findIndex(one => one.treebank === asked.get("treebank") && one.candidate === asked.get("candidate"));
  $("candidate").value = Math.max(place, 0);
  choose();
  $("type").value = INDEX[+$("candidate").value].types[asked.get("type")] ? asked.get("type") : "";
  $("text").value = asked.get("text") || "";
  $("candidate").onchange = () => { choose(); show(); };
  for (const id of ["type", "measure", "most"]) $(id).onchange = show;
  let typing;
  $("text").oninput = () => { clearTimeout(typing); typing = setTimeout(show, 200); };
  $("filters").onsubmit = event => { event.preventDefault(); show(); };
  show();
}
start();
