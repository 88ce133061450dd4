// The plan as lanes: the line of now moves, a changed plan is fetched, and times of rules are dragged to other ones.
import { eachSecond, now, store } from "./live.js";

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
    // The click at the end of a drag is none.
    this.addEventListener("click", (event) => {
      this.aim(event);
      if (!this.isDragged) return;
      this.isDragged = false;
      event.preventDefault();
      event.stopImmediatePropagation();
    }, true);
    this.addEventListener("dragstart", (event) => event.preventDefault());
    new ResizeObserver(() => this.fit()).observe(this);
    this.draw();
  }

  /** Names of pieces that are too narrow for them are not shown: half a name is another one. The label of the piece has it. */
  fit() {
    for (const text of this.querySelectorAll(".segment text")) {
      const room = text.parentElement.getBoundingClientRect().width;
      text.setAttribute("visibility", text.getComputedTextLength() + 9 > room ? "hidden" : "visible");
    }
  }

  // MARK: dragging

  /** A time of a rule follows the mouse or the pen in steps of five minutes; a finger scrolls, and has the dialog of why. */
  lift(event) {
    this.isDragged = false;
    const segment = event.target.closest?.(".segment[data-occurrence]");
    if (!segment || event.button !== 0 || event.pointerType === "touch") return;
    if (document.body.dataset.link === "down") return;
    const track = segment.closest(".lane-track").getBoundingClientRect();
    const { rule, occurrence, local } = segment.dataset;
    let minutes = 0;
    const move = (one) => {
      const by = one.clientX - event.clientX;
      if (!this.isDragged && Math.abs(by) < 6) return;
      if (!this.isDragged) this.setPointerCapture(event.pointerId);
      this.isDragged = true;
      const length = (Number(this.dataset.to) - Number(this.dataset.from)) / 60_000;
      minutes = Math.round(((by / track.width) * length) / 5) * 5;
      segment.setAttribute("transform", `translate(${(minutes / length) * track.width} 0)`);
      segment.classList.add("lifted");
    };
    const end = (isDropped) => {
      this.removeEventListener("pointermove", move);
      this.removeEventListener("pointerup", drop);
      this.removeEventListener("pointercancel", cancel);
      removeEventListener("keydown", escape, true);
      segment.removeAttribute("transform");
      segment.classList.remove("lifted");
      if (isDropped && this.isDragged && minutes !== 0) {
        import("./occurrence.js").then(({ openOccurrence, shifted }) => openOccurrence(rule, occurrence, "move", shifted(local, minutes)));
      }
    };
    const drop = () => end(true);
    const cancel = () => end(false);
    const escape = (one) => { if (one.key === "Escape") { one.preventDefault(); end(false); } };
    this.addEventListener("pointermove", move);
    this.addEventListener("pointerup", drop);
    this.addEventListener("pointercancel", cancel);
    addEventListener("keydown", escape, true);
  }

  /** A click on a piece asks for the second that was clicked; a key has no place, and asks for the beginning. */
  aim(event) {
    const segment = event.target.closest?.(".segment[data-why]");
    if (!segment) return;
    segment.dataset.begin ??= segment.dataset.why;
    const track = segment.closest(".lane-track").getBoundingClientRect();
    const [from, to] = [Number(this.dataset.from), Number(this.dataset.to)];
    const at = from + ((event.clientX - track.left) / track.width) * (to - from);
    const [begin, end] = [Date.parse(segment.dataset.begin), Number(segment.dataset.end)];
    const isMeant = event.detail > 0 && track.width > 0;
    const second = Math.min(Math.max(Math.floor(at / 1000) * 1000, begin), Math.max(end - 1, begin));
    segment.dataset.why = isMeant ? new Date(second).toISOString() : segment.dataset.begin;
  }

  draw() {
    const [from, to] = [Number(this.dataset.from), Number(this.dataset.to)];
    const part = ((now() - from) / (to - from)) * 100;
    for (const line of this.querySelectorAll(".now-line")) {
      const place = `${Math.min(Math.max(part, 0), 100).toFixed(3)}%`;
      if (line.getAttribute("x1") === place) continue;
      line.setAttribute("x1", place);
      line.setAttribute("x2", place);
      line.setAttribute("visibility", part < 0 || part > 100 ? "hidden" : "visible");
    }
    for (const row of this.querySelectorAll("li[data-start]")) {
      const isNow = Number(row.dataset.start) <= now() && now() < Number(row.dataset.end);
      if (isNow === row.hasAttribute("aria-current")) continue;
      if (isNow) row.setAttribute("aria-current", "time");
      else row.removeAttribute("aria-current");
    }
  }

  /** Takes the lanes of the page as it is now: the server draws them. */
  async refresh() {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    // A document that was parsed apart runs nothing; Trusted Types lets only policies make one.
    const policy = globalThis.trustedTypes?.createPolicy("castq-lanes", { createHTML: (text) => text });
    const text = await answer.text();
    const page = new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, "text/html");
    const fresh = page.querySelector("castq-lanes");
    if (!fresh) return;
    this.dataset.from = fresh.dataset.from;
    this.dataset.to = fresh.dataset.to;
    this.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
    this.fit();
    this.draw();
  }
}
customElements.define("castq-lanes", Lanes);
