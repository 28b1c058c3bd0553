// The layout of trees and of arcs, as in treebanks/pictures/layout.py: a test compares them. A drawing is
// [kind, width, height, paths, labels, texts, dots]; treebanks/pictures/drawing.py says what its lists are.
const LETTER = 6.6, CAPITAL = 8.8, TREE = {gap: 14, level: 38, foot: 44}, ARC = {gap: 18, step: 13, longest: 12, row: 24};
const SIGNS = {same: "", relabelled: " ≠", missing: " −", additional: " +"};
const WIDE = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

// Python rounds halves to even numbers.
const rounded = value => { const down = Math.floor(value); return value - down === 0.5 ? down + down % 2 : Math.round(value); };
const isCapital = letter => letter !== letter.toLowerCase() && letter === letter.toUpperCase();
const textWidth = text => [...text].reduce((width, letter) => width + (WIDE.test(letter) ? 2 * LETTER : isCapital(letter) ? CAPITAL : LETTER), 0);
const placesOf = covered => { const found = []; for (let i = 0; covered >> BigInt(i); i++) if (covered >> BigInt(i) & 1n) found.push(i); return found; };

// The tokens under each node as bits; nodes stand behind the nodes above them.
function yieldsOf({parent, above}) {
  const found = above.map(() => 0n);
  parent.forEach((node, word) => { if (node >= 0) found[node] |= 1n << BigInt(word); });
  for (let node = above.length - 1; node >= 0; node--) if (above[node] >= 0) found[above[node]] |= found[node];
  return found;
}

// What becomes of each node beside the other tree: see node_marks in reports/results/differences.py.
function nodeMarks(gold, candidate) {
  const keys = [gold, candidate].map(tree => {
    const covered = yieldsOf(tree);
    return tree.label.map((label, node) => ({key: `${tree.canonical(label)} ${covered[node]}`, words: String(covered[node])}));
  });
  const count = (nodes, of) => nodes.reduce((counts, node) => counts.set(node[of], (counts.get(node[of]) || 0) + 1), new Map());
  const counts = keys.map(nodes => count(nodes, "key"));
  const lonely = [0, 1].map(side => new Map([...counts[side]].map(([key, n]) => [key, Math.max(n - (counts[1 - side].get(key) || 0), 0)])));
  const over = [0, 1].map(side => {
    const words = new Map();
    for (const [key, n] of lonely[side]) { const covered = key.slice(key.lastIndexOf(" ") + 1); words.set(covered, (words.get(covered) || 0) + n); }
    return words;
  });
  return [0, 1].map(side => keys[side].map(({key, words}) => {
    if (!lonely[side].get(key)) return "same";
    lonely[side].set(key, lonely[side].get(key) - 1);
    const opposite = over[1 - side].get(words) || 0;
    if (opposite) over[1 - side].set(words, opposite - 1);
    return opposite ? "relabelled" : side ? "additional" : "missing";
  }));
}

function columnsOf(words, tags, names, covered) {
  const widths = words.map((word, place) => Math.max(textWidth(word), textWidth(tags[place])) + TREE.gap);
  names.forEach((name, node) => {
    const places = placesOf(covered[node]), missing = textWidth(name) + TREE.gap - places.reduce((sum, place) => sum + widths[place], 0);
    if (missing > 0) for (const place of places) widths[place] += missing / places.length;
  });
  const centres = [];
  let edge = 0;
  for (const width of widths) { centres.push(edge + width / 2); edge += width; }
  return [centres, edge];
}

function longestRun(places) {
  let best = [], run = [];
  for (const place of places) {
    run = run.length && place === run.at(-1) + 1 ? [...run, place] : [place];
    if (run.length > best.length) best = run;
  }
  return best;
}

function boxesOf({parent, above}, names, covered, centres) {
  const boxes = names.map(() => ({children: [], level: 0, x: 0})), taken = [[]];
  parent.forEach((node, place) => { if (node >= 0) boxes[node].children.push([centres[place], 0]); });
  for (let node = names.length - 1; node >= 0; node--) {
    const box = boxes[node], run = box.children.map(([x]) => x), longest = longestRun(placesOf(covered[node]));
    const first = centres[longest[0]], last = centres[longest.at(-1)];
    let inside = run.filter(x => first <= x && x <= last);
    if (!inside.length) inside = [first, last];
    box.x = (Math.min(...inside) + Math.max(...inside)) / 2;
    const half = textWidth(names[node]) / 2 + 5, left = Math.min(...run, box.x - half), right = Math.max(...run, box.x + half);
    box.level = 1 + Math.max(...box.children.map(([, level]) => level));
    while (box.level < taken.length && taken[box.level].some(([a, b]) => a < right && left < b)) box.level++;
    while (box.level >= taken.length) taken.push([]);
    taken[box.level].push([left, right]);
    if (above[node] >= 0) boxes[above[node]].children.push([box.x, box.level]);
  }
  return boxes;
}

// A tree: its words, tags, token parents, labels and node parents; with a mark for each node and tag.
function drawTree(words, tree, marks, wrong) {
  const tags = tree.tag.map((tag, place) => wrong[place] ? tag + SIGNS.relabelled : tag);
  const names = tree.label.map((label, node) => label + SIGNS[marks[node]]), covered = yieldsOf(tree);
  const [centres, width] = columnsOf(words, tags, names, covered), boxes = boxesOf(tree, names, covered, centres);
  const top = Math.max(0, ...boxes.map(box => box.level)), y = level => (top - level) * TREE.level + 14;
  const lines = boxes.flatMap(box => {
    const xs = box.children.map(([x]) => x);
    const across = xs.length > 1 || xs[0] !== box.x ? [`M${rounded(Math.min(...xs, box.x))} ${y(box.level)}H${rounded(Math.max(...xs, box.x))}`] : [];
    return [...across, ...box.children.map(([x, level]) => `M${rounded(x)} ${y(box.level)}V${y(level) - 9}`)];
  });
  const labels = boxes.map((box, node) => [rounded(box.x), y(box.level), rounded(textWidth(names[node]) / 2 + 5), names[node], marks[node]]);
  const row = (height, texts, chosen, kind) => {
    const places = texts.map((_, place) => place).filter(chosen);
    return [height, places.map(place => rounded(centres[place])), places.map(place => texts[place]), kind];
  };
  const texts = [row(y(0) + 3, tags, place => !wrong[place], "tag"), row(y(0) + 3, tags, place => wrong[place], "tag wrong"), row(y(0) + 21, words, () => true, "word")];
  return ["tree", rounded(width), top * TREE.level + TREE.foot, [[lines.join(""), "branch"]], labels, texts.filter(([, middles]) => middles.length), []];
}

// Gold's arcs above the words, the candidate's below. A side is {head, relation}.
function drawArcs(words, above, below) {
  const rise = (head, place) => ARC.step * Math.min(head < 0 ? 1 : Math.abs(head - place), ARC.longest);
  const height = side => 26 + (side.head.length ? Math.max(...side.head.map(rise)) : ARC.step);
  const centres = [], base = height(above), foot = base + ARC.row + height(below);
  let edge = 4;
  words.forEach((word, place) => {
    const width = Math.max(...[word, above.relation[place], below.relation[place]].map(textWidth)) + ARC.gap;
    centres.push(rounded(edge + width / 2));
    edge += width;
  });
  const paths = [], texts = [[base + 16, centres, words, "word"]], dots = [];
  for (const [side, other, line, up, mark] of [[above, below, base, -1, "missing"], [below, above, base + ARC.row - 2, 1, "additional"]]) {
    side.head.forEach((head, place) => {
      if (head === UNATTACHED) return;
      const relation = side.relation[place], kind = head !== other.head[place] || relation !== other.relation[place] ? mark : "same";
      const start = centres[head < 0 ? place : head], end = centres[place] + (start < centres[place] ? -4 : 4);
      const high = rise(head, place) + 6, top = line + up * high;
      paths.push([head < 0 ? `M${start} ${top}V${line}` : `M${start} ${line}C${start} ${top} ${end} ${top} ${end} ${line}`, kind]);
      dots.push([head < 0 ? start : end, line, kind]);
      const name = relation + SIGNS[kind];
      if (name) texts.push([rounded(line + up * high * 0.78 + (up < 0 ? -3 : 11)), [rounded((start + end) / 2)], [name], `arc ${kind}`]);
    });
  }
  return ["arcs", rounded(edge + 4), foot, paths, [], texts, dots];
}
