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

// Arcs from head to dependent: gold's above the words, the candidate's below; what differs bears a sign.
function arcs(words, gold, goldNames, found, foundNames) {
  const width = words.map((word, i) => Math.max(word.length, (goldNames[i] || "").length, (foundNames[i] || "").length) * 8 + 18);
  const middle = [];
  width.reduce((left, wide, i) => (middle[i] = left + wide / 2, left + wide), 4);
  const reach = heads => heads.reduce((most, head, i) => Math.max(most, head < 0 ? 1 : Math.abs(head - i)), 1);
  const height = heads => 26 + 13 * Math.min(reach(heads), 12);
  const above = height(gold), total = width.reduce((sum, wide) => sum + wide, 8);
  const svg = drawing("svg", {width: total, height: above + 24 + height(found), role: "img"});
  const side = (heads, names, others, otherNames, base, up, mark) => heads.forEach((head, i) => {
    const differs = head !== others[i] || (names[i] || "") !== (otherNames[i] || "");
    const kind = differs ? mark : 0, name = (names[i] || "") + SIGNS[kind];
    if (head === -2) return;
    const from = head < 0 ? middle[i] : middle[head], tall = 13 * Math.min(head < 0 ? 1 : Math.abs(head - i), 12) + 6;
    const top = base + up * tall, to = middle[i] + (from < middle[i] ? -4 : 4);
    const path = head < 0 ? `M${from},${top} L${from},${base}` : `M${from},${base} C${from},${top} ${to},${top} ${to},${base}`;
    svg.append(drawing("path", {d: path, class: "a" + kind}), drawing("circle", {cx: head < 0 ? from : to, cy: base, r: 2.5, class: "m" + kind}));
    if (name) svg.append(drawing("text", {x: (from + to) / 2, y: base + up * tall * .78 + (up < 0 ? -3 : 11), class: "arc m" + kind}, name));
  });
  side(gold, goldNames, found, foundNames, above, -1, 2);
  side(found, foundNames, gold, goldNames, above + 22, 1, 3);
  words.forEach((word, i) => svg.append(drawing("text", {x: middle[i], y: above + 16}, word)));
  return svg;
}

function trees(shown, candidate) {
  const box = element("div", "", {class: "trees"});
  if (shown.gold) {
    box.append(element("h4", "Gold"), tree(shown.words, shown.gold));
    box.append(element("h4", candidate), tree(shown.words, shown.candidate));
  }
  if (shown.arcs) box.append(element("h4", `Dependencies: gold above the words, ${candidate} below`), arcs(...shown.arcs));
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
