// The wall of screens: its cards, one stop of the keyboard, a filter, and the chosen screen beside it without a change of the page.
import { choose, eachSecond, fetched, look, part, remembered, screenName, setArt, setAttribute, setText, store, toast, transfer } from "./live.js";

const cards = document.getElementById("cards");
const wide = matchMedia("(min-width: 1100px)");
const links = () => [...cards.querySelectorAll("li:not([hidden]) [data-part=link]")];

class ScreenCard extends HTMLElement {
  #ends = [];

  connectedCallback() {
    const draw = () => this.draw();
    this.#ends = [
      store.subscribe((state, before) => {
        const label = this.dataset.device;
        if (state.statuses.get(label) !== before.statuses.get(label) || state.pending.get(label) !== before.pending.get(label)) draw();
      }),
      eachSecond(() => { if (this.dataset.state === "playing") draw(); }),
    ];
    draw();
  }

  disconnectedCallback() {
    for (const end of this.#ends) end();
  }

  draw() {
    const one = look(this.dataset.device);
    if (!one) return;
    setAttribute(this, "data-air", one.air);
    setAttribute(this, "data-state", one.token);
    setAttribute(this, "data-live", one.live ? "true" : null);
    setAttribute(this, "data-pending", one.pending ? "true" : null);
    setAttribute(this, "data-guest", one.isGuests ? "true" : null);
    setAttribute(this, "data-plain", one.isPlain ? "true" : null);
    setText(part(this, "word"), one.word);
    part(this, "says").hidden = !one.says;
    setText(part(this, "says").firstChild, one.says);
    setText(part(this, "title"), one.title);
    setText(part(this, "then"), one.then);
    setText(part(this, "rule"), one.isOn ? one.rule ?? "" : "");
    const bar = part(this, "progress");
    bar.hidden = !one.isOn || one.isPicture || one.live;
    setAttribute(bar, "value", one.permille);
    setArt(part(this, "art"), one.art, 320);
    const name = part(this, "name").textContent;
    setAttribute(this.querySelector('[value="toggle"]'), "aria-label", `${one.isMoving ? (one.live ? "Stop" : "Pause") : "Play"} ${name}`);
    for (const act of this.querySelectorAll("[data-act]")) act.disabled = one.isOff;
  }
}
customElements.define("castq-card", ScreenCard);

// MARK: one stop of the keyboard; arrows lead from card to card

function rove(active) {
  for (const card of cards.querySelectorAll("castq-card")) {
    const isActive = card === active;
    for (const one of card.querySelectorAll("a, button")) one.tabIndex = isActive ? 0 : -1;
  }
}
rove(cards.querySelector("[data-current]") ?? cards.querySelector("castq-card"));
cards.addEventListener("focusin", (event) => rove(event.target.closest("castq-card")));
cards.addEventListener("keydown", (event) => {
  const all = links();
  const here = all.findIndex((link) => link.closest("castq-card") === event.target.closest("castq-card"));
  const columns = getComputedStyle(cards).gridTemplateColumns.split(" ").length;
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, Home: -here, End: all.length - 1 - here }[event.key];
  if (step === undefined || here < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  all[Math.min(Math.max(here + step, 0), all.length - 1)]?.focus();
});

// MARK: the filter

const search = document.getElementById("search");
search?.addEventListener("input", () => {
  const wanted = search.value.trim().toLowerCase();
  let found = 0;
  for (const card of cards.querySelectorAll("castq-card")) {
    const isFound = !wanted || card.textContent.toLowerCase().includes(wanted) || card.dataset.device.toLowerCase().includes(wanted);
    card.closest("li").hidden = !isFound;
    if (isFound) found += 1;
  }
  document.getElementById("no-match").hidden = found > 0;
});

// MARK: the chosen screen

let turn = 0;
let shown = location.pathname + location.search;

/** Puts a screen beside the wall; null leaves the wall alone. */
async function show(label, path) {
  const mine = ++turn;
  const grid = document.querySelector(".now-page");
  const old = document.getElementById("chosen");
  if (label === null) {
    old?.remove();
    delete document.body.dataset.device;
    return mark(null);
  }
  mark(label);
  await Promise.all([import("./controller.js"), import("./queue.js")]);
  const page = await fetched(path).catch(() => null);
  const fresh = page?.getElementById("chosen");
  if (fresh?.querySelector("castq-history")) await import("./history-rows.js");
  if (mine !== turn) return undefined;
  if (!fresh) return location.assign(path);
  document.body.dataset.device = fresh.dataset.device;
  const node = document.importNode(fresh, true);
  if (old) old.replaceWith(node);
  else grid.append(node);
  choose(label);
  drawTitle();
  return undefined;
}

function mark(label) {
  for (const card of cards.querySelectorAll("castq-card")) card.toggleAttribute("data-current", card.dataset.device === label);
  for (const link of links()) {
    if (link.closest("castq-card").dataset.device === label) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#cards [data-part=link], .chosen .tabs a");
  if (!link || !wide.matches || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const label = link.closest("castq-card")?.dataset.device ?? link.closest("#chosen").dataset.device;
  history.pushState({ label }, "", link.href);
  shown = location.pathname + location.search;
  document.body.dataset.page = "device";
  show(label, link.href);
});
// A place on the page is no other page.
addEventListener("popstate", () => { if (location.pathname + location.search !== shown) location.reload(); });

// The first page has the screen that this browser chose last.
if (document.body.dataset.page === "screens") {
  const own = remembered("device");
  const has = document.getElementById("chosen")?.dataset.device ?? null;
  const isKnown = [...cards.querySelectorAll("castq-card")].some((card) => card.dataset.device === own);
  if (!isKnown) show(null);
  else if (has !== own && wide.matches) show(own, `/d/${encodeURIComponent(own)}`);
}

// MARK: moving what plays

document.addEventListener("submit", (event) => {
  const to = event.submitter?.name === "to" ? event.submitter.value : null;
  if (!to || event.target.elements.verb?.value !== "transfer") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  toast(`Moving to ${screenName(to)}…`);
  transfer(event.target.elements.device.value, to).then((problem) => problem && toast(problem, true));
}, true);

// MARK: what needs somebody: at most three lines, with one button each

const most = 3;
const leads = { examine: (label) => `/doctor?device=${label}`, look: () => "/library" };
const acts = { examine: "Examine", look: "Look at it", retry: "See the entry" };
const strip = document.getElementById("needs");
let drawn = "";

function drawNeeds(state) {
  const all = [...state.statuses.values()].filter((status) => status.need);
  const lines = all.slice(0, most);
  const text = JSON.stringify([lines.map((one) => [one.device, one.need]), all.length]);
  strip.hidden = all.length === 0;
  if (text === drawn) return;
  drawn = text;
  part(strip, "lines").replaceChildren(...lines.map(({ device, need }) => {
    const line = document.getElementById("need").content.firstElementChild.cloneNode(true);
    const label = encodeURIComponent(device);
    setText(part(line, "name"), screenName(device));
    setText(part(line, "text"), need.text);
    setAttribute(part(line, "act"), "href", leads[need.act]?.(label) ?? `/d/${label}`);
    setText(part(line, "act"), acts[need.act] ?? "Fill it");
    return line;
  }));
  part(strip, "rest").hidden = all.length <= most;
  setText(part(strip, "rest"), `and ${all.length - most} more`);
}
store.subscribe((state, before) => { if (state.statuses !== before.statuses) drawNeeds(state); });

// MARK: what the tab of the browser says

function drawTitle() {
  const needs = [...store.state.statuses.values()].filter((status) => status.need).length;
  const label = document.body.dataset.device;
  const one = label ? look(label) : null;
  if (one?.isOn && one.title) document.title = `${one.isMoving ? "▶ " : ""}${one.title} · ${screenName(label)}`;
  else document.title = needs ? `${needs} ${needs === 1 ? "needs" : "need"} you · castq` : "Now · castq";
}
store.subscribe((state, before) => { if (state.statuses !== before.statuses) drawTitle(); });
