// The plan as lanes: the line of now moves, and a changed plan is fetched.
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
    this.draw();
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
    this.draw();
  }
}
customElements.define("castq-lanes", Lanes);
