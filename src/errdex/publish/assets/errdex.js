/* Makes pages nicer where scripts run: copy buttons, marked line ranges, search as you type.
   Every page reads and every link works without it. No library, nothing stored, nothing sent
   anywhere but to this site. Text is only ever set as text, never as markup. */
"use strict";

const root = document.documentElement;
const prefix = root.dataset.prefix;
const isStatic = root.dataset.search === "static";

/* --- copying --------------------------------------------------------------- */

function addCopyButton(block) {
  const code = block.querySelector("code");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    const lines = code.querySelectorAll(".line");
    const text = lines.length ? Array.from(lines, (line) => line.textContent).join("") : code.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  block.append(button);
}
document.querySelectorAll(".code").forEach(addCopyButton);

/* --- lines of source ------------------------------------------------------- */

function markLines() {
  document.querySelectorAll(".line.marked").forEach((line) => line.classList.remove("marked"));
  const range = /^#L(\d+)-L(\d+)$/.exec(location.hash);
  if (!range) return;
  const last = Math.min(Number(range[2]), Number(range[1]) + 500);
  for (let number = Number(range[1]); number <= last; number += 1) {
    document.getElementById(`L${number}`)?.classList.add("marked");
  }
  document.getElementById(`L${range[1]}`)?.scrollIntoView({ block: "center" });
}
addEventListener("hashchange", markLines);
markLines();

/* A click on a line's number makes its permalink; with Shift, the range from the line before. */
document.querySelectorAll("pre.source").forEach((block) => block.addEventListener("click", (event) => {
  const line = event.target.closest(".line");
  if (!line || event.target.closest("a") || event.clientX - line.getBoundingClientRect().left > 52) return;
  const from = event.shiftKey && /^#(L\d+)/.exec(location.hash);
  location.hash = from ? `${from[1]}-${line.id}` : line.id;
}));

/* --- looking up ------------------------------------------------------------ */

/* The line of a paste that holds class and message: the last that looks like one, else the last. */
function lastLine(text) {
  const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
  const named = lines.filter((line) => /^[\w.]*(Error|Exception|Warning|Exit|Interrupt|[A-Z]\w+): ./.test(line));
  return named.at(-1) ?? lines.at(-1) ?? "";
}

async function fromServer(text) {
  const url = `${prefix}/api/search?limit=8&q=${encodeURIComponent(text.slice(-3900))}`;
  const response = await fetch(url);
  if (!response.ok) throw new Error(String(response.status));
  return (await response.json()).matches.map((match) => (
    { href: new URL(match.url).pathname, message: match.message, where: match.repo }));
}

const kept = new Map();
function fetchOnce(path) {
  if (!kept.has(path)) {
    kept.set(path, fetch(`${prefix}/data/search/${path}`).then((response) => (response.ok ? response.json() : {})));
  }
  return kept.get(path);
}

function words(text) {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{3,40}/gu) ?? []);
}

/* FNV-1a, 32 bits, over UTF-8: which file lists the errors filed under a word. */
function shardOf(word, count) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(word)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % count;
}

/* How much of the message's own words the text holds, 1 if all its pieces stand there in order. */
function fit(pieces, text, asked) {
  let at = 0;
  let inOrder = true;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found < 0) { inOrder = false; break; }
    at = found + piece.length;
  }
  const own = words(pieces.join(" "));
  let shared = 0;
  for (const word of own) if (asked.has(word)) shared += 1;
  return (inOrder ? 1 : 0) + (own.size ? shared / own.size : 0);
}

/* `level:proved` in what is asked keeps to one level, as on a server. */
const levelAsked = /(?<!\S)level:(proved-slice|proved|tested|derived|inferred)(?!\S)/g;

async function fromFiles(text) {
  const levels = new Set(Array.from(text.matchAll(levelAsked), (match) => match[1]));
  const line = lastLine(text.replace(levelAsked, " "));
  const meta = await fetchOnce("meta.json");
  const asked = words(line);
  const looked = [...asked].sort((a, b) => b.length - a.length).slice(0, 12);
  const shards = await Promise.all(looked.map((word) => fetchOnce(`${shardOf(word, meta.shards)}.json`)));
  const found = new Map();
  shards.forEach((shard, number) => (shard[looked[number]] ?? []).forEach(([repo, slug, name, pieces, level]) => {
    if (levels.size && !levels.has(level)) return;
    const known = found.get(`${repo}/${slug}`) ?? { repo: meta.repos[repo], slug, name, pieces, hits: 0 };
    known.hits += 1;
    found.set(`${repo}/${slug}`, known);
  }));
  const scored = [...found.values()].map((one) => {
    const named = one.name && asked.has(one.name.toLowerCase()) ? 0.4 : 0;
    const literal = one.pieces.join("").length;
    return { ...one, score: fit(one.pieces, line, asked) + named + Math.min(literal, 60) / 200 };
  });
  return scored.filter((one) => one.score > 0.6).sort((a, b) => b.score - a.score).slice(0, 8).map((one) => ({
    href: `${prefix}/${one.repo}/${one.slug}/`,
    message: (one.name ? `${one.name}: ` : "") + one.pieces.join("…"),
    where: one.repo,
  }));
}

const lookUp = isStatic ? fromFiles : fromServer;

function resultLink(result) {
  const link = document.createElement("a");
  link.href = result.href;
  const where = document.createElement("span");
  where.textContent = result.where;
  link.append(result.message.slice(0, 160), where);
  return link;
}

/* --- search as you type ---------------------------------------------------- */

function instantSearch(input) {
  const list = document.createElement("ul");
  list.className = "hits";
  list.id = "hits";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Errors found");
  list.hidden = true;
  input.after(list);
  for (const [name, value] of [["role", "combobox"], ["aria-controls", "hits"], ["aria-expanded", "false"], ["aria-autocomplete", "list"]]) {
    input.setAttribute(name, value);
  }
  let chosen = -1;
  let asked = 0;
  let timer = 0;

  function close() {
    list.hidden = true;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function choose(number) {
    const options = [...list.querySelectorAll("[role=option]")];
    if (!options.length) return;
    chosen = (number + options.length) % options.length;
    options.forEach((option, at) => option.setAttribute("aria-selected", String(at === chosen)));
    options[chosen].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", options[chosen].id);
  }

  function show(results) {
    const before = list.querySelector("[aria-selected=true] a")?.href;
    list.replaceChildren(...results.map((result, number) => {
      const option = document.createElement("li");
      option.id = `hit-${number}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      const link = resultLink(result);
      link.tabIndex = -1;
      option.append(link);
      return option;
    }));
    if (!results.length) {
      const none = document.createElement("li");
      none.className = "none";
      none.setAttribute("role", "option");
      none.setAttribute("aria-disabled", "true");
      none.textContent = "No error of this catalog fits yet.";
      list.append(none);
    }
    chosen = -1;
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    // A later answer must not take away what the reader has chosen meanwhile.
    const again = before ? [...list.querySelectorAll("a")].findIndex((link) => link.href === before) : -1;
    if (again >= 0) choose(again);
    else input.removeAttribute("aria-activedescendant");
  }

  async function ask() {
    const text = input.value.trim();
    asked += 1;
    const mine = asked;
    if (text.length < 3) { close(); return; }
    try {
      const results = await lookUp(text);
      if (mine === asked) show(results);
    } catch {
      if (mine === asked) close();
    }
  }

  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 120); });
  input.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    if (event.key === "Escape") { event.preventDefault(); close(); } // left alone, the field would be emptied
    if (event.key === "ArrowDown") { event.preventDefault(); choose(chosen + 1); }
    if (event.key === "ArrowUp") { event.preventDefault(); choose(chosen - 1); }
    if (event.key === "Enter" && chosen >= 0) { event.preventDefault(); list.querySelectorAll("[role=option] a")[chosen].click(); }
  });
  input.addEventListener("blur", () => setTimeout(() => { if (!list.contains(document.activeElement)) close(); }, 150));
}

const find = document.getElementById("find");
if (find) {
  instantSearch(find);
  find.placeholder += "  ( / )";
  addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      find.focus();
    }
  });
}

/* --- the search page of a static site -------------------------------------- */

async function answerHere(text) {
  const place = document.getElementById("answer");
  const results = await lookUp(text);
  const list = document.createElement("ol");
  list.className = "errors";
  list.append(...results.map((result) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.className = "message";
    link.href = result.href;
    link.textContent = result.message;
    const where = document.createElement("span");
    where.className = "where";
    where.textContent = result.where;
    item.append(link, where);
    return item;
  }));
  const verdict = document.createElement("p");
  verdict.className = "verdict";
  verdict.textContent = results.length ? "Closest first:" : "No error of this catalog fits this text.";
  place.replaceChildren(verdict, list);
}

/* On a static site nothing is sent anywhere: the form is answered here, and the address keeps no text. */
if (isStatic) {
  const box = document.getElementById("ask");
  const form = box?.form;
  const given = new URLSearchParams(location.search).get("q");
  if (form && document.getElementById("answer")) {
    if (given) {
      box.value = given;
      answerHere(given);
    }
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      answerHere(box.value);
    });
  }
}
