// Files of data call crossbank(name, content) when they have been loaded.
const loaded = {}, waiting = {};
const PAGE = 100;
const $ = id => document.getElementById(id);

function crossbank(name, content) {
  loaded[name] = content;
  (waiting[name] || []).forEach(go => go(content));
  delete waiting[name];
}

function data(name) {
  if (name in loaded) return Promise.resolve(loaded[name]);
  return new Promise(go => {
    if (waiting[name]) return waiting[name].push(go);
    waiting[name] = [go];
    const script = document.createElement("script");
    script.src = `data/${name}.js`;
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

// What is chosen, as the address has it. A link from the report has some of these.
const ASKED = ["treebank", "candidate", "with", "measure", "show", "most", "from", "to", "has", "attribute", "type", "text"];
const SHOW = [["", "all, the worst of A first"], ["better", "A better than B"], ["worse", "B better than A"], ["differ", "A and B differ"], ["same", "A and B have the same score"]];
let opened = new Set(), request = 0, rows = [], shown = 0;

const treebank = () => INDEX[+$("treebank").value];
const measure = () => treebank().measures[+$("measure").value];
const figure = (value, of = measure()) => value === null ? "–" : of.proportion ? (100 * value).toFixed(1) : value.toFixed(2);
const better = (a, b) => a !== null && b !== null && (measure().less ? a < b : a > b);

// Choices [value, text], or [heading, choices] for a group of them. What was chosen stays where it is still there.
function options(select, pairs) {
  const before = select.value, option = ([value, text]) => element("option", text, {value});
  select.replaceChildren(...pairs.map(([value, text]) => {
    if (!Array.isArray(text)) return option([value, text]);
    const group = element("optgroup", "", {label: value});
    group.append(...text.map(option));
    return group;
  }));
  if ([...select.options].some(option => option.value === before)) select.value = before;
}

// The choices that depend on the treebank, and on candidate A.
function choices() {
  const here = treebank(), names = here.candidates.map((one, i) => [String(i), one.name]);
  options($("candidate"), names);
  options($("with"), [["", "none"], ...names]);
  options($("measure"), here.measures.map((one, i) => [String(i), one.name]));
  options($("has"), [["", "anything"], ...Object.entries(here.kinds).map(([kind, strings]) => [kind, strings.map(one => [`${kind}=${one}`, one])])]);
  options($("attribute"), [["", "any"], ...Object.entries(here.attributes).map(([name, groups]) => [name, groups.map(one => [`${name}=${one}`, one])])]);
  options($("type"), [["", "any"], ...here.candidates[+$("candidate").value].types.map(type => [type, TYPES[type]])]);
  $("attribute").parentElement.hidden = !Object.keys(here.attributes).length;
  $("has").parentElement.hidden = !Object.keys(here.kinds).length;
  $("type").parentElement.hidden = $("type").options.length < 2;
  options($("show"), $("with").value === "" ? SHOW.slice(0, 1) : SHOW);
}

function address() {
  const asked = new URLSearchParams(), here = treebank();
  for (const id of ASKED) {
    let value = $(id).value;
    if (id === "treebank") value = here.treebank;
    if (id === "candidate" || id === "with") value = value === "" ? "" : here.candidates[+value].name;
    if (id === "measure") value = value === "0" ? "" : here.measures[+value].name;
    if (value !== "") asked.set(id, value);
  }
  if (opened.size) asked.set("sentence", [...opened].map(row => row + 1).join(" "));
  return "#" + asked;
}

function remember() {
  if (location.hash !== address()) history.replaceState(null, "", address());
}

// What the address asks for, put into the form.
function recall() {
  const asked = new URLSearchParams(location.hash.slice(1));
  $("treebank").value = Math.max(INDEX.findIndex(one => one.treebank === asked.get("treebank")), 0);
  $("with").value = "";
  choices();
  const place = name => { const i = treebank().candidates.findIndex(one => one.name === name); return i < 0 ? "" : String(i); };
  $("candidate").value = place(asked.get("candidate")) || "0";
  $("with").value = place(asked.get("with"));
  $("measure").value = Math.max(treebank().measures.findIndex(one => one.name === asked.get("measure")), 0);
  choices();
  for (const id of ["show", "most", "from", "to", "has", "attribute", "type", "text"]) {
    $(id).value = asked.get(id) || "";
    if ($(id).value !== (asked.get(id) || "")) $(id).value = "";
  }
  opened = new Set((asked.get("sentence") || "").split(" ").filter(one => one).map(one => one - 1));
}

// The shards of one kind of data over all sentences of the treebank, one after the other.
async function everyShard(name, size) {
  const shards = [];
  for (let first = 0; first === 0 || first < treebank().sentences; first += size) shards.push(data(`${name}-${first / size}`));
  return Promise.all(shards);
}

async function goldHas(asked) {
  const [kind, ...rest] = asked.split("="), wanted = rest.join("="), has = new Set();
  const column = {label: "label", tag: "tag", relation: "relation"}[kind];
  (await everyShard(`gold-${$("treebank").value}`, TREES)).forEach((shard, number) => {
    const code = shard.strings.indexOf(wanted), trees = kind === "relation" ? shard.dependencies : shard.constituents;
    if (code < 0 || !trees) return;
    const begins = kind === "label" ? trees.nodes : trees.begins;
    let sentence = 0;
    trees[column].forEach((one, place) => {
      while (begins[sentence + 1] <= place) sentence++;
      if (one === code) has.add(number * TREES + sentence);
    });
  });
  return has;
}

async function show() {
  const mine = ++request, here = treebank(), t = $("treebank").value, a = $("candidate").value, b = $("with").value;
  $("said").textContent = `Looking through ${here.sentences.toLocaleString("en")} sentences …`;
  const [sentences, ofA, ofB, has] = await Promise.all([
    everyShard(`sentences-${t}`, ROWS), everyShard(`scores-${t}-${a}`, ROWS),
    b === "" ? [] : everyShard(`scores-${t}-${b}`, ROWS), $("has").value ? goldHas($("has").value) : null]);
  if (mine !== request) return;
  const m = +$("measure").value, less = measure().less, unit = measure().proportion ? 100 : 1, most = $("most").value === "" ? null : $("most").value / unit;
  const from = +$("from").value || 0, to = $("to").value === "" ? Infinity : +$("to").value, type = $("type").value, asked = $("show").value;
  const text = $("text").value.trim().toLowerCase(), wanted = text.split(" | ").filter(part => part);
  const [attribute, ...group] = $("attribute").value.split("="), at = Object.keys(here.attributes).indexOf(attribute);
  const groupAt = at < 0 ? -1 : here.attributes[attribute].indexOf(group.join("="));
  rows = [];
  sentences.forEach(([ids, words, lengths, groups], shard) => {
    const [reasons, scores, types] = ofA[shard], other = ofB[shard], ofType = type ? new Set(types[type] || []) : null;
    ids.forEach((id, i) => {
      const one = scores[m][i], two = other ? other[1][m][i] : null;
      if (ofType && !ofType.has(i)) return;
      if (most !== null && (one === null || (less ? one < most : one > most))) return;
      if (lengths[i] < from || lengths[i] > to) return;
      if (groupAt >= 0 && groups[at][i] !== groupAt) return;
      if (has && !has.has(shard * ROWS + i)) return;
      if (text && !(wanted.length > 1 ? wanted.includes(id.toLowerCase()) : words[i].toLowerCase().includes(text) || id.toLowerCase() === text)) return;
      if (asked === "better" && !better(one, two)) return;
      if (asked === "worse" && !better(two, one)) return;
      if (asked === "differ" && one === two) return;
      if (asked === "same" && one !== two) return;
      rows.push({row: shard * ROWS + i, id, words: words[i], length: lengths[i], shard, i, one, two, why: reasons[i] || "", whyB: other ? other[0][i] || "" : ""});
    });
  });
  const rank = value => value === null ? -Infinity : less ? -value : value; // unscored sentences first
  const gap = one => Math.abs((one.one ?? 0) - (one.two ?? 0));
  rows.sort(asked === "" || asked === "same" ? (x, y) => (rank(x.one) < rank(y.one) ? -1 : rank(x.one) > rank(y.one) ? 1 : x.row - y.row) : (x, y) => gap(y) - gap(x) || x.row - y.row);
  $("said").textContent = said();
  remember();
  shown = 0;
  $("list").replaceChildren();
  further();
  for (const row of opened) await reveal(row);
}

function said() {
  if (!rows.length) return "No sentence is like this.";
  const all = treebank().sentences.toLocaleString("en"), counted = `${rows.length.toLocaleString("en")} of ${all} sentences`;
  if ($("with").value === "") return counted;
  const won = rows.filter(one => better(one.one, one.two)).length, lost = rows.filter(one => better(one.two, one.one)).length;
  const alone = rows.filter(one => (one.one === null) !== (one.two === null)).length, same = rows.length - won - lost - alone;
  const numbers = {"A better in": won, "B better in": lost, "no difference in": same, ...(alone ? {"one has no score in": alone} : {})};
  return `${counted}: ${Object.entries(numbers).map(([what, n]) => `${what} ${n.toLocaleString("en")}`).join(", ")}`;
}

function further(until = shown + PAGE) {
  const first = shown;
  shown = Math.min(until, rows.length);
  $("list").append(...rows.slice(first, shown).map(item));
  $("more").hidden = shown >= rows.length;
  return first;
}

// Opens a sentence that a link leads to, also one that is far down the list or that the filters leave out.
async function reveal(row) {
  let place = rows.findIndex(one => one.row === row);
  if (place < 0) return void ($("said").textContent += `. Sentence ${row + 1}, to which the link leads, is not among them.`);
  if (place >= shown) further(place + 1);
  const entry = $("list").children[place], button = entry.querySelector("button");
  if (button.getAttribute("aria-expanded") === "false") await open(entry, button, rows[place]);
  entry.scrollIntoView({block: "start"});
  button.focus({preventScroll: true});
}

function figures({one, two, why, whyB}) {
  if ($("with").value === "") return why || `${measure().name} ${figure(one)}`;
  const sign = better(one, two) ? "A better" : better(two, one) ? "B better" : one === two ? "same" : "one has no score";
  return `A ${why || figure(one)} · B ${whyB || figure(two)} · ${sign}`;
}

function item(about) {
  const entry = element("li"), button = element("button", "", {type: "button", class: "row", "aria-expanded": "false"});
  button.append(element("span", about.id, {class: "id"}), element("span", about.words), element("span", figures(about), {class: "figures"}));
  button.onclick = async () => {
    if (button.getAttribute("aria-expanded") === "true") {
      entry.lastChild.remove();
      button.setAttribute("aria-expanded", "false");
      opened.delete(about.row);
    } else await open(entry, button, about);
    remember();
  };
  entry.append(button);
  return entry;
}

async function open(entry, button, about) {
  button.setAttribute("aria-expanded", "true");
  opened.add(about.row);
  const box = element("div", "", {class: "trees"});
  entry.append(box);
  box.append(await trees(about));
  const link = element("button", "Copy the link to this sentence", {type: "button", class: "copy"});
  link.onclick = () => copyLink(about.row);
  box.append(link);
}

async function copyLink(row) {
  const before = opened;
  opened = new Set([row]);
  const copied = location.href.split("#")[0] + address();
  opened = before;
  try {
    await navigator.clipboard.writeText(copied);
  } catch {
    const area = document.body.appendChild(element("textarea", copied));
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  $("copied").textContent = "Link copied";
  setTimeout(() => $("copied").textContent = "", 2000);
}

// One sentence of a shard: its trees with strings in place of codes.
function treesOf(shard, kind, i) {
  const trees = shard[kind];
  if (!trees || (trees.unscored || []).includes(i)) return null;
  const cut = (column, begins) => trees[column] && trees[column].slice(begins[i], begins[i + 1]);
  const named = (column, begins) => (cut(column, begins) || []).map(code => shard.strings[code]);
  const same = new Map(Object.entries(shard.canonical).map(([code, one]) => [shard.strings[code], one]));
  const canonical = string => same.get(string) ?? string;
  if (kind === "constituents")
    return {form: named("form", trees.begins), tag: named("tag", trees.begins), parent: cut("parent", trees.begins), label: named("label", trees.nodes), above: cut("above", trees.nodes), canonical};
  const head = cut("head", trees.begins);
  return {form: named("form", trees.begins), head, relation: trees.relation ? named("relation", trees.begins) : head.map(() => "")};
}

async function trees({row}) {
  const here = treebank(), t = $("treebank").value, shard = Math.floor(row / TREES), i = row % TREES, box = document.createDocumentFragment();
  const sides = [$("candidate").value, $("with").value].filter(side => side !== "");
  const [shared, ...of] = await Promise.all([data(`gold-${t}-${shard}`), ...sides.map(side => data(`trees-${t}-${side}-${shard}`))]);
  const letters = sides.length > 1 ? ["A, ", "B, "] : [""];
  const figureOf = (title, drawn) => {
    const figure = element("figure", "", {class: "picture"}), scroll = element("div", "", {class: "scroll", tabindex: "0", role: "region", "aria-label": title});
    scroll.append(typeof drawn === "string" ? element("p", drawn) : paint(drawn));
    figure.append(element("figcaption", title), scroll);
    return figure;
  };
  let any = false;
  for (const kind of ["constituents", "dependencies"]) {
    if (!shared[kind]) continue;
    const row = element("div", "", {class: "sides"});
    let goldDrawn = false;
    sides.forEach((side, place) => {
      const gold = treesOf(of[place].gold || shared, kind, i), candidate = treesOf(of[place], kind, i), name = `${letters[place]}${here.candidates[+side].name}`;
      if (!candidate) return void row.append(figureOf(name, "This sentence could not be scored: there is nothing to draw."));
      any = true;
      if (kind === "dependencies") return void row.append(figureOf(`Dependencies: gold above the words, ${name} below`, drawArcs(gold.form, gold, candidate)));
      const [ofGold, ofCandidate] = nodeMarks(gold, candidate), wrong = gold.tag.map((tag, word) => gold.canonical(tag) !== candidate.canonical(candidate.tag[word]));
      // Beside two candidates gold has no marks: what it lacks differs.
      if (sides.length === 1 || of[place].gold || !goldDrawn) {
        const plain = sides.length > 1;
        row.append(figureOf("Gold", drawTree(gold.form, gold, plain ? ofGold.map(() => "same") : ofGold, plain ? wrong.map(() => false) : wrong)));
        goldDrawn = true;
      }
      row.append(figureOf(name, drawTree(gold.form, candidate, ofCandidate, wrong)));
      if (sides.length > 1) {
        const missing = gold.label.filter((_, node) => ofGold[node] === "missing");
        row.lastChild.append(element("p", missing.length ? `Missing: ${missing.map(label => label + SIGNS.missing).join(", ")}` : "No node of gold is missing.", {class: "soft"}));
      }
    });
    box.append(row);
  }
  if (!any && !box.childNodes.length) box.append(element("p", "There are no trees to draw."));
  return box;
}

function start() {
  if (!INDEX.length) return void ($("said").textContent = "This study has no candidates.");
  options($("treebank"), INDEX.map((one, i) => [String(i), one.treebank]));
  recall();
  const changed = () => { opened = new Set(); choices(); show(); };
  for (const id of ["treebank", "candidate", "with", "measure", "show", "has", "attribute", "type"]) $(id).onchange = changed;
  let typing;
  for (const id of ["most", "from", "to", "text"]) $(id).oninput = () => { clearTimeout(typing); typing = setTimeout(() => { opened = new Set(); show(); }, 200); };
  $("filters").onsubmit = event => { event.preventDefault(); show(); };
  $("filters").onreset = event => {
    event.preventDefault();
    for (const id of ["show", "most", "from", "to", "has", "attribute", "type", "text"]) $(id).value = "";
    changed();
  };
  $("more").onclick = () => { const first = further(); $("list").children[first].querySelector("button").focus(); };
  addEventListener("hashchange", () => { if (location.hash !== address()) { recall(); show(); } });
  show();
}
start();
