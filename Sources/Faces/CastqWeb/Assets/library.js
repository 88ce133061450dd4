// The library: looked through as one types, filled in as files are read, and walked through with arrows.
import { ask, glyph, part, setAttribute, setText } from "./live.js";
import { clock } from "./store.js";

const area = document.getElementById("library");
const form = document.getElementById("library-search");
const page = 24;

// MARK: one stop for each list; arrows go on

export function rove(list) {
  const selector = list.dataset.roving;
  const stops = () => [...list.querySelectorAll(selector)].filter((one) => !one.closest("[hidden]"));
  const settle = (chosen = null) => {
    const all = stops();
    const at = chosen ?? all.find((one) => one.getAttribute("aria-current")) ?? all[0];
    for (const one of all) {
      one.tabIndex = one === at ? 0 : -1;
      const more = part(one.closest("li") ?? list, "more");
      if (more) more.tabIndex = one === at ? 0 : -1;
    }
  };
  settle();
  list.addEventListener("castq-drawn", () => settle());
  list.addEventListener("focusin", (event) => {
    const own = event.target.closest(selector) ?? event.target.closest("li")?.querySelector(selector);
    if (own) settle(own);
  });
  list.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const all = stops();
    const index = all.indexOf(event.target.closest(selector));
    if (index < 0) return;
    const width = all.filter((one) => one.offsetTop === all[0].offsetTop).length;
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, ArrowDown: index + width, ArrowUp: index - width, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || !all[to]) return;
    event.preventDefault();
    all[to].focus();
  });
}
for (const list of document.querySelectorAll("[data-roving]")) rove(list);

// MARK: files that are chosen for a new programme, in the order in which they were

const making = document.getElementById("new-programme");
const kept = () => {
  try { return JSON.parse(sessionStorage.getItem("castq.picks")) ?? []; } catch { return []; }
};
const picks = new Set(making ? kept() : []);
function keep() {
  try { sessionStorage.setItem("castq.picks", JSON.stringify([...picks])); } catch { /* a private window */ }
  if (making) setText(part(making, "picks"), picks.size === 0 ? "" : picks.size === 1 ? "1 file is chosen" : `${picks.size} files are chosen`);
}
for (const field of making?.querySelectorAll("input[type=hidden][name=files]") ?? []) {
  picks.add(field.value);
  field.remove();
}
for (const box of document.querySelectorAll('input[name="files"]')) box.checked = picks.has(box.value);
document.addEventListener("change", ({ target }) => {
  if (target.name !== "files") return;
  if (target.checked) picks.add(target.value);
  else picks.delete(target.value);
  keep();
});
making?.addEventListener("formdata", ({ formData }) => {
  formData.delete("files");
  for (const name of picks) formData.append("files", name);
});
keep();

// MARK: tiles

function picture(item) {
  return ["blur", ""].map((look) => {
    const image = new Image();
    image.alt = "";
    image.loading = "lazy";
    image.decoding = "async";
    image.className = look;
    image.src = `/api/v1/art/${encodeURIComponent(item.art)}?w=320`;
    return image;
  });
}

function draw(tile, item) {
  tile.dataset.name = item.name;
  setAttribute(part(tile, "face"), "href", `/library?item=${encodeURIComponent(item.name)}`);
  setText(part(tile, "title"), item.title);
  setText(part(tile, "second"), item.subtitle);
  setText(part(tile, "plays"), [item.ad ? "ad" : null, item.plays, item.plays_week ? `${item.plays_week} play${item.plays_week === 1 ? "" : "s"} this week` : null].filter(Boolean).join(" · "));
  const length = item.kind === "picture" ? "picture" : Number.isFinite(item.duration_s) ? clock(item.duration_s) : "";
  setText(part(tile, "length"), length);
  part(tile, "length").hidden = length === "";
  const pick = part(tile, "pick");
  if (pick) {
    pick.value = item.name;
    pick.checked = picks.has(item.name);
    setAttribute(pick, "aria-label", `Choose ${item.title}`);
  }
  setAttribute(part(tile, "more"), "aria-label", `Actions for ${item.title}`);
  const art = part(tile, "art");
  if (art.dataset.digest === (item.art ?? "")) return;
  art.dataset.digest = item.art ?? "";
  art.replaceChildren(...(item.art ? picture(item) : [glyph(item.kind === "music" ? "note" : "film")]));
}

// A picture that cannot be made leaves the sign of what it is.
area?.addEventListener("error", (event) => {
  const art = event.target.closest?.('[data-part="art"]');
  if (art) art.replaceChildren(glyph("film"));
}, true);

function show(found) {
  const list = part(area, "tiles");
  const known = new Map([...list.children].map((tile) => [tile.dataset.name, tile]));
  const template = document.getElementById("tile").content.firstElementChild;
  const tiles = found.items.map((item) => {
    const tile = known.get(item.name) ?? template.cloneNode(true);
    draw(tile, item);
    return tile;
  });
  if (tiles.length !== list.children.length || tiles.some((tile, index) => list.children[index] !== tile)) list.replaceChildren(...tiles);
  list.dispatchEvent(new CustomEvent("castq-drawn"));
  const nothing = part(area, "nothing");
  nothing.hidden = tiles.length > 0;
  if (found.q) setText(nothing, "No file has these words in its name, title, artist or album.");
  const pager = part(area, "pager");
  pager.hidden = found.total === 0;
  setText(part(pager, "range"), tiles.length ? `${found.from + 1}–${found.from + tiles.length} of ${found.total}` : `${found.total} files`);
  turn(pager, "prev", "Previous", found.from > 0, Math.max(found.from - page, 0));
  turn(pager, "next", "Next", found.from + tiles.length < found.total, found.from + page);
}

function turn(pager, name, words, isThere, from) {
  let link = pager.querySelector(`[rel="${name}"]`);
  if (!isThere) return link?.remove();
  if (!link) {
    link = document.createElement("a");
    link.className = "button plain";
    link.rel = name;
    setText(link, words);
    pager[name === "prev" ? "prepend" : "append"](link);
  }
  return setAttribute(link, "href", address(from));
}

/** What this page shows, with other words, or from another file on. */
function address(from) {
  const wanted = new URL(location.href);
  for (const name of ["from", "notice", "item"]) wanted.searchParams.delete(name);
  if (from) wanted.searchParams.set("from", from);
  return wanted.pathname + wanted.search;
}

function question() {
  const { searchParams } = new URL(location.href);
  const wanted = new URLSearchParams({ count: page });
  for (const name of ["kind", "q", "folder", "from"]) if (searchParams.get(name)) wanted.set(name, searchParams.get(name));
  return `/api/v1/library?${wanted}`;
}

let asked = 0;
let left = Infinity;
async function look() {
  const number = ++asked;
  const answer = await ask("GET", question());
  if (number !== asked || !answer.ok) return;
  show(answer.json);
  // Files that nobody has read yet are read while the page is seen.
  const isSlow = answer.json.open >= left;
  left = answer.json.open > 0 ? answer.json.open : Infinity;
  if (answer.json.open === 0 || document.hidden) return;
  // What cannot be read now is not asked for again and again.
  setTimeout(() => number === asked && look(), isSlow ? 5000 : 0);
}
document.addEventListener("visibilitychange", () => { if (!document.hidden && left < Infinity) look(); });

let wait = 0;
form?.addEventListener("input", () => {
  clearTimeout(wait);
  wait = setTimeout(() => {
    const words = form.elements.q.value.trim();
    const wanted = new URL(location.href);
    for (const name of ["from", "notice", "item", "q"]) wanted.searchParams.delete(name);
    if (words) wanted.searchParams.set("q", words);
    history.replaceState(null, "", wanted);
    for (const row of document.querySelectorAll("#programmes li")) row.hidden = words !== "" && !row.textContent.toLowerCase().includes(words.toLowerCase());
    if (area) look();
  }, 200);
});
if (area?.dataset.open) look();

document.addEventListener("click", (event) => {
  const button = event.target.closest?.('.tile [data-part="more"], .programme [data-part="more"]');
  if (button) import("./library-acts.js").then(({ openMenu }) => openMenu(button));
});
