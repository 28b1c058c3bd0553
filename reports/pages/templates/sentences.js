// Files of data call crossbank(kind, candidate, piece, content) when they have been loaded.
const loaded = {rows: {}, trees: {}}, waiting = {};
const PAGE = 100;
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

// A drawing that Python laid out: crossbank/treebanks/pictures/drawing.py says what its lists are.
function paint([kind, width, height, paths, labels, texts, dots]) {
  const svg = drawing("svg", {class: kind, width, height, role: "img"});
  for (const [d, kind] of paths) svg.append(drawing("path", {d, class: kind}));
  for (const [cx, cy, kind] of dots) svg.append(drawing("circle", {cx, cy, r: 2.5, class: kind}));
  for (const [x, y, half, text, kind] of labels) {
    const group = drawing("g", {class: kind});
    group.append(drawing("rect", {x: x - half, y: y - 9, width: 2 * half, height: 18, rx: 4}), drawing("text", {x, y: y + 4}, text));
    svg.append(group);
  }
  for (const [y, middles, row, kind] of texts) middles.forEach((x, i) => svg.append(drawing("text", {x, y, class: kind}, row[i])));
  return svg;
}

function trees(shown, candidate) {
  const box = element("div", "", {class: "trees"});
  if (shown.gold) {
    box.append(element("h4", "Gold"), paint(shown.gold));
    box.append(element("h4", candidate), paint(shown.candidate));
  }
  if (shown.arcs) box.append(element("h4", `Dependencies: gold above the words, ${candidate} below`), paint(shown.arcs));
  if (!box.childNodes.length) box.append(element("p", "This sentence could not be scored: there is nothing to draw."));
  return box;
}

let request = 0;
async function show() {
  const mine = ++request, place = +$("candidate").value, about = INDEX[place];
  const type = $("type").value, measure = +$("measure").value, most = +$("most").value / 100;
  const text = $("text").value.trim().toLowerCase(), wanted = text.split(" | ").filter(part => part);
  location.replace("#" + new URLSearchParams({treebank: about.treebank, candidate: about.candidate, type, text}));
  const all = !type && !text && most >= 1, found = [];
  $("list").replaceChildren();
  for (let piece = 0; piece * ROWS < about.sentences; piece++) {
    $("said").textContent = `Looking through ${about.sentences.toLocaleString("en")} sentences …`;
    const rows = await data("rows", place, piece);
    if (mine !== request) return;
    rows.forEach((row, i) => {
      const [id, words, , scores, types] = row;
      if (type && !types.includes(type)) return;
      if (most < 1 && !(scores[measure] !== null && scores[measure] <= most)) return;
      if (text && !(wanted.length > 1 ? wanted.includes(id.toLowerCase()) : words.toLowerCase().includes(text) || id.toLowerCase() === text)) return;
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
