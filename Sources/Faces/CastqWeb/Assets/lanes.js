// The schedule as lanes or as a calendar: the line of now moves, a changed plan is fetched, arrows go through the pieces, free time leads
// to a new time, and pieces are dragged.
import { eachSecond, fetched, now, store } from "./live.js";

const zone = document.body.dataset.zone || "UTC";
const clocks = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" });
/** What the clocks of the page show at a moment: `2026-12-24T08:00`. */
const localText = (moment) => clocks.format(new Date(moment)).replace(" ", "T");

/** The axis of a piece, or of a place: its SVG, its time, and whether it goes down. */
export function axisOf(svg, lanes) {
  const isDown = svg.classList.contains("day-axis");
  const { from, to } = isDown ? svg.dataset : lanes.dataset;
  return { svg, isDown, from: Number(from), to: Number(to), box: svg.getBoundingClientRect() };
}
const momentAt = ({ isDown, from, to, box }, event) =>
  from + (isDown ? (event.clientY - box.top) / box.height : (event.clientX - box.left) / box.width) * (to - from);

class Lanes extends HTMLElement {
  connectedCallback() {
    eachSecond(() => this.draw());
    let wait = 0;
    store.subscribe((state, before) => {
      if (state.plan === before.plan) return;
      clearTimeout(wait);
      wait = setTimeout(() => this.refresh(), 500);
    });
    this.addEventListener("pointerdown", (event) => this.lift(event));
    this.addEventListener("click", (event) => {
      // The click at the end of a drag is none.
      if (this.isDragged) {
        this.isDragged = false;
        event.preventDefault();
        return event.stopImmediatePropagation();
      }
      this.aim(event);
      return this.add(event);
    }, true);
    this.addEventListener("dragstart", (event) => event.preventDefault());
    this.addEventListener("keydown", (event) => this.rove(event));
    for (const kind of ["pointerover", "focusin"]) this.addEventListener(kind, (event) => this.tell(event.target.closest?.(".piece")));
    for (const kind of ["pointerleave", "focusout"]) this.addEventListener(kind, () => this.tell(null));
    this.prepare();
  }

  /** Each lane and each day is one stop of the tab key. */
  prepare() {
    for (const group of this.groups()) this.stops(group).forEach((one, index) => { one.tabIndex = index ? -1 : 0; });
    const scroll = this.querySelector(".days-scroll");
    if (scroll && !this.hasScrolled) scroll.scrollTop = (scroll.scrollHeight / 24) * 6;
    this.hasScrolled = true;
    this.draw();
  }

  groups() { return [...this.querySelectorAll("[role=group]")]; }
  stops(group) { return [...group.querySelectorAll(":is(a.lane-name, a.day-name), svg .piece")]; }

  rove(event) {
    const group = event.target.closest?.("[role=group]");
    if (!group || event.ctrlKey || event.altKey || event.metaKey) return;
    const isDown = group.classList.contains("day");
    const stops = this.stops(group);
    const at = stops.indexOf(event.target);
    if (at < 0) return;
    const [next, before, side, back] = isDown
      ? ["ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"] : ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"];
    let goal = { [next]: stops[at + 1], [before]: stops[at - 1], Home: stops[0], End: stops.at(-1) }[event.key];
    if ([side, back].includes(event.key)) {
      const groups = this.groups();
      const other = groups[groups.indexOf(group) + (event.key === side ? 1 : -1)];
      const those = other ? this.stops(other) : [];
      goal = those[Math.min(at, those.length - 1)];
    }
    if (!goal) return;
    event.preventDefault();
    event.stopPropagation();
    for (const one of this.stops(goal.closest("[role=group]"))) one.tabIndex = one === goal ? 0 : -1;
    goal.focus();
  }

  /** The name of a piece that has no room for it. */
  tell(piece) {
    this.tip ??= Object.assign(document.createElement("p"), { className: "tip", hidden: true });
    this.tip.setAttribute("aria-hidden", "true");
    if (!this.tip.isConnected) this.append(this.tip);
    const text = piece?.innerText.replace(/\s+/g, " ").trim() ?? "";
    this.tip.hidden = !piece || !text;
    if (!piece) return;
    this.tip.textContent = text;
    const [own, box] = [this.getBoundingClientRect(), piece.getBoundingClientRect()];
    const left = Math.min(Math.max(box.left - own.left, 4), Math.max(own.width - this.tip.offsetWidth - 4, 4));
    this.tip.style.left = `${left}px`;
    this.tip.style.top = `${Math.max(box.top - own.top - this.tip.offsetHeight - 4, 0)}px`;
  }

  // MARK: free time

  /** A click on free time to come makes a new time there, or fills in the one that is being made. */
  add(event) {
    const svg = event.target.closest?.("svg");
    if (!this.dataset.new || !svg || event.target.closest(".piece")) return;
    const axis = axisOf(svg, this);
    const at = Math.floor(momentAt(axis, event) / 1_800_000) * 1_800_000;
    if (at + 1_800_000 < now()) return;
    const form = document.getElementById("rule-form");
    if (form) return void form.dispatchEvent(new CustomEvent("castq-point", { detail: { from: localText(at), to: localText(at + 3_600_000) } }));
    const address = new URL(this.dataset.new, location.href);
    address.searchParams.set("new", localText(at));
    const lane = svg.closest("[data-lane]")?.dataset.lane;
    if (lane) address.searchParams.set("device", lane);
    address.hash = "drawer";
    location.assign(address);
  }

  // MARK: dragging

  /**
   * A time of a rule follows the mouse or the pen in steps of five minutes: its middle moves this one time, an edge changes the rule.
   * A finger scrolls, and has the answer and the fields.
   */
  lift(event) {
    this.isDragged = false;
    const piece = event.target.closest?.(".piece[data-occurrence]");
    if (!piece || event.button !== 0 || event.pointerType === "touch") return;
    if (document.body.dataset.link === "down") return;
    const place = piece.closest("foreignObject");
    const axis = axisOf(piece.closest("svg"), this);
    const box = piece.getBoundingClientRect();
    const [start, size] = axis.isDown ? [event.clientY - box.top, box.height] : [event.clientX - box.left, box.width];
    const near = size < 30 ? null : start < 8 ? "begin" : size - start < 8 ? "finish" : null;
    const edge = piece.dataset.edges?.split(" ").includes(near) ? near : null;
    const names = axis.isDown ? ["y", "height"] : ["x", "width"];
    const before = names.map((name) => place.getAttribute(name));
    const [at, length] = before.map(parseFloat);
    const minutesOfAxis = (axis.to - axis.from) / 60_000;
    let minutes = 0;
    const move = (one) => {
      const by = axis.isDown ? one.clientY - event.clientY : one.clientX - event.clientX;
      if (!this.isDragged && Math.abs(by) < 6) return;
      if (!this.isDragged) this.setPointerCapture(event.pointerId);
      this.isDragged = true;
      minutes = Math.round(((by / (axis.isDown ? axis.box.height : axis.box.width)) * minutesOfAxis) / 5) * 5;
      const percent = (minutes / minutesOfAxis) * 100;
      if (edge !== "finish") place.setAttribute(names[0], `${at + percent}%`);
      if (edge) place.setAttribute(names[1], `${Math.max(edge === "begin" ? length - percent : length + percent, 0.4)}%`);
      piece.classList.add("lifted");
    };
    const end = (isDropped) => {
      this.removeEventListener("pointermove", move);
      this.removeEventListener("pointerup", drop);
      this.removeEventListener("pointercancel", cancel);
      removeEventListener("keydown", escape, true);
      piece.classList.remove("lifted");
      if (isDropped && this.isDragged && minutes !== 0) return void this.drop(piece, edge, minutes);
      names.forEach((name, index) => place.setAttribute(name, before[index]));
    };
    const drop = () => end(true);
    const cancel = () => end(false);
    const escape = (one) => { if (one.key === "Escape") { one.preventDefault(); end(false); } };
    this.addEventListener("pointermove", move);
    this.addEventListener("pointerup", drop);
    this.addEventListener("pointercancel", cancel);
    addEventListener("keydown", escape, true);
  }

  async drop(piece, edge, minutes) {
    const { openOccurrence, shifted } = await import("./occurrence.js");
    const { rule, occurrence, local } = piece.dataset;
    if (!edge) return openOccurrence(rule, occurrence, "move", shifted(local, minutes));
    const moment = edge === "begin" ? Date.parse(piece.dataset.begin ?? piece.dataset.why) : Number(piece.dataset.end);
    const address = new URL(this.dataset.new, location.href);
    address.searchParams.set("edit", rule);
    address.searchParams.set("occurrence", occurrence);
    address.searchParams.set(edge, localText(moment + minutes * 60_000));
    address.hash = "drawer";
    return location.assign(address);
  }

  /** A click on a piece asks for the second that was clicked; a key has no place, and asks for the beginning. */
  aim(event) {
    const piece = event.target.closest?.(".piece[data-why]");
    if (!piece) return;
    piece.dataset.begin ??= piece.dataset.why;
    const axis = axisOf(piece.closest("svg"), this);
    const [begin, end] = [Date.parse(piece.dataset.begin), Number(piece.dataset.end)];
    const second = Math.min(Math.max(Math.floor(momentAt(axis, event) / 1000) * 1000, begin), Math.max(end - 1, begin));
    piece.dataset.why = event.detail > 0 && axis.box.width > 0 ? new Date(second).toISOString() : piece.dataset.begin;
  }

  draw() {
    for (const line of this.querySelectorAll(".now-line")) {
      const { from, to, isDown } = axisOf(line.closest("svg"), this);
      const part = ((now() - from) / (to - from)) * 100;
      const place = `${Math.min(Math.max(part, 0), 100).toFixed(3)}%`;
      const [first, last] = isDown ? ["y1", "y2"] : ["x1", "x2"];
      if (line.getAttribute(first) === place) continue;
      line.setAttribute(first, place);
      line.setAttribute(last, place);
      line.setAttribute("visibility", part < 0 || part > 100 ? "hidden" : "visible");
    }
    for (const row of this.querySelectorAll("li[data-start]")) {
      const isNow = Number(row.dataset.start) <= now() && now() < Number(row.dataset.end);
      if (isNow === row.hasAttribute("aria-current")) continue;
      if (isNow) row.setAttribute("aria-current", "time");
      else row.removeAttribute("aria-current");
    }
  }

  /** Takes the chart of the page as it is now: the server draws it. Nobody loses the piece that has the focus. */
  async refresh() {
    const fresh = (await fetched(location.href))?.querySelector("castq-lanes");
    if (!fresh) return;
    const focused = this.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    const top = this.querySelector(".days-scroll")?.scrollTop;
    this.dataset.from = fresh.dataset.from;
    this.dataset.to = fresh.dataset.to;
    this.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
    this.prepare();
    if (top !== undefined) this.querySelector(".days-scroll").scrollTop = top;
    if (focused) [...this.querySelectorAll("a")].find((one) => one.getAttribute("href") === focused)?.focus();
    document.dispatchEvent(new CustomEvent("castq-drawn"));
  }
}
customElements.define("castq-lanes", Lanes);

document.addEventListener("change", (event) => {
  if (event.target.dataset?.filter) event.target.form.requestSubmit();
});
