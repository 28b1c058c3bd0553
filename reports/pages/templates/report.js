// What the report does: open what a link leads to, mark the section that is read, sort and copy tables, say what a
// number is. Without a script everything can be read all the same.
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

function make(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// Of tables of one kind, one is shown: the first, or the one that is chosen or that a link leads to.
for (const choice of all(".choice")) {
  const tables = all(".chosen", choice), select = make("select", "", {"aria-label": "Table"});
  const show = place => { select.selectedIndex = place; tables.forEach((table, at) => { table.hidden = at !== place; }); };
  tables.forEach((table, place) => {
    select.append(make("option", table.querySelector("figcaption b").textContent.replace(/\.$/, "")));
    table.show = () => show(place);
  });
  select.onchange = () => show(select.selectedIndex);
  choice.prepend(select);
  show(0);
}

// A small chart is enlarged by its button, and made small again.
for (const figure of all(".multiples figure")) {
  const button = make("button", "Enlarge", {type: "button", class: "copy", "aria-expanded": "false"});
  button.onclick = () => {
    const large = figure.classList.toggle("large");
    button.textContent = large ? "Make small" : "Enlarge";
    button.setAttribute("aria-expanded", large);
  };
  figure.querySelector("figcaption").append(" ", button);
}

// A link to a sentence or a table opens what it is folded in.
function unfold() {
  const place = location.hash ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  for (let element = place; element; element = element.parentElement) {
    if (element.tagName === "DETAILS") element.open = true;
    if (element.show) element.show();
  }
  if (place) place.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();

// On a narrow screen the list of sections is folded.
const sections = document.querySelector("nav details");
if (sections && !matchMedia("(min-width: 72rem)").matches) sections.open = false;

// The list of sections marks the one that is read: the last whose heading is in the upper quarter of the window.
const links = all("nav a[href^='#']"), headings = links.map(link => document.getElementById(link.hash.slice(1)));
function follow() {
  let read = 0;
  headings.forEach((heading, place) => { if (heading && heading.getBoundingClientRect().top < innerHeight / 4) read = place; });
  links.forEach((link, place) => place === read ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current"));
}
addEventListener("scroll", follow, {passive: true});
follow();

// The text of a cell, without its interval and without the number of its signature.
function text(cell) {
  const copy = cell.cloneNode(true);
  all("sup, small", copy).forEach(part => part.remove());
  return copy.textContent.trim();
}

function number(text) {
  const value = parseFloat(text.replace(/,/g, "").replace("−", "-").replace(/^[<>] /, ""));
  return Number.isNaN(value) ? null : value;
}

// A click on a heading sorts the rows: numbers the largest first, words from A to Z; another click turns them.
function sort(table, place, heading) {
  const numeric = heading.classList.contains("number"), body = table.tBodies[0];
  const down = heading.getAttribute("aria-sort") === (numeric ? "descending" : "ascending") ? 1 : -1;
  const rows = [...body.rows].map(row => [text(row.cells[place]), row]);
  const compare = (a, b) => {
    if (!numeric) return -down * a.localeCompare(b);
    const [one, other] = [number(a), number(b)];
    return one === null || other === null ? (one === null) - (other === null) : down * (one - other);
  };
  rows.sort((a, b) => compare(a[0], b[0])).forEach(([, row]) => body.append(row));
  all(".again, .new", body).forEach(marked => marked.classList.remove("again", "new"));
  all("th[aria-sort]", table).forEach(sorted => sorted.removeAttribute("aria-sort"));
  heading.setAttribute("aria-sort", (down === -1) === numeric ? "descending" : "ascending");
}

// A table's headings with their groups, and its rows, as text.
function content(table) {
  const head = [...table.tHead.rows], groups = [];
  if (head.length > 1) for (const cell of head[0].cells) groups.push(...Array(cell.colSpan).fill(text(cell)));
  const headings = [...head.at(-1).cells].map((cell, place) => `${groups[place] || ""} ${text(cell)}`.trim());
  return [headings, ...[...table.tBodies[0].rows].map(row => [...row.cells].map(text))];
}

const escaped = {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"};
const latex = value => value.replace(/[\\~^&%$#_{}]/g, sign => escaped[sign] || "\\" + sign).replace("−", "$-$");
const FORMS = {
  CSV: rows => rows.map(row => row.map(value => /[",\n]/.test(value) ? `"${value.replace(/"/g, '""')}"` : value).join(",")).join("\n"),
  Markdown: ([headings, ...rows]) => [headings, headings.map(() => "---"), ...rows].map(row => `| ${row.map(value => value.replace(/\|/g, "\\|")).join(" | ")} |`).join("\n"),
  LaTeX: ([headings, ...rows]) => {
    const line = row => row.map(latex).join(" & ") + " \\\\";
    return [`\\begin{tabular}{${headings.map((_, place) => place && rows.every(row => number(row[place]) !== null || row[place] === "–") ? "r" : "l").join("")}}`,
      "\\toprule", line(headings), "\\midrule", ...rows.map(line), "\\bottomrule", "\\end{tabular}"].join("\n");
  },
};

async function copy(copied, what) {
  try {
    await navigator.clipboard.writeText(copied);
  } catch {
    const area = document.body.appendChild(make("textarea", copied));
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  document.getElementById("copied").textContent = `${what} copied`;
  setTimeout(() => document.getElementById("copied").textContent = "", 2000);
}

for (const frame of all(".scroll.table")) {
  const table = frame.querySelector("table"), caption = frame.parentElement.querySelector("figcaption");
  [...[...table.tHead.rows].at(-1).cells].forEach((heading, place) => {
    const button = make("button", "", {type: "button", class: "sort"});
    button.append(...heading.childNodes);
    heading.append(button);
    button.onclick = () => sort(table, place, heading);
  });
  const bar = make("span", "Copy as ", {class: "copy"});
  for (const [name, form] of Object.entries(FORMS)) {
    const button = make("button", name, {type: "button"});
    button.onclick = () => copy(form(content(table)) + "\n", name);
    bar.append(button, " ");
  }
  caption.append(" ", bar);
}
for (const block of all(".copied")) {
  const button = make("button", "Copy", {type: "button", class: "copy"});
  button.onclick = () => copy(block.textContent, "Text");
  block.before(button);
}

// What a number is: its row, its column, its meaning, the sentences behind it, its interval, its signature.
function about(cell) {
  const table = cell.closest("table"), place = cell.cellIndex, names = [];
  for (const before of [...cell.parentElement.cells].slice(0, place)) if (!before.classList.contains("number")) names.push(text(before));
  const parts = [`${names.join(", ")}: ${content(table)[0][place]} ${text(cell)}`];
  if (cell.dataset.about) parts.push(cell.dataset.about);
  const interval = cell.querySelector("small");
  if (interval) parts.push(`${document.body.dataset.interval} ${interval.textContent}`);
  const signed = [...cell.parentElement.cells].slice(0, place + 1).reverse().find(other => other.querySelector("sup a"));
  if (cell.dataset.about && signed) parts.push(document.getElementById(signed.querySelector("sup a").hash.slice(1)).lastElementChild.textContent);
  return parts.join("\n");
}

const bubble = document.getElementById("about");
function tell(event) {
  const cell = event.target.closest(".scroll.table td.number");
  bubble.hidden = !cell;
  if (!cell) return;
  bubble.textContent = about(cell);
  const place = cell.getBoundingClientRect();
  bubble.style.left = `${Math.max(8, Math.min(place.left, innerWidth - bubble.offsetWidth - 8))}px`;
  bubble.style.top = `${place.bottom + bubble.offsetHeight + 8 < innerHeight ? place.bottom + 4 : place.top - bubble.offsetHeight - 4}px`;
}
addEventListener("pointerover", tell);
addEventListener("focusin", tell);
addEventListener("scroll", () => bubble.hidden = true, {passive: true});
addEventListener("keydown", event => { if (event.key === "Escape") bubble.hidden = true; });
all("td[data-about]").forEach(cell => { cell.tabIndex = 0; });
