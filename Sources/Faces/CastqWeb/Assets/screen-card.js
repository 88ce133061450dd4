// The card of a screen.
import { eachSecond, look, part, setArt, setAttribute, setText, store, words } from "./live.js";

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
    setText(part(this, "word"), one.word);
    setText(part(this, "title"), one.title);
    setText(part(this, "subtitle"), one.subtitle);
    part(this, "progress-row").hidden = !one.isOn || one.isPicture;
    setText(part(this, "elapsed"), one.elapsed);
    setText(part(this, "total"), one.total);
    setAttribute(part(this, "progress"), "value", one.permille);
    setText(part(this, "next"), one.next ?? (one.waiting > 0 ? `${one.waiting} waiting` : ""));
    setText(part(this, "rule"), one.rule ?? "");
    if (!one.isOff) setText(part(this, "seen"), "now");
    else if (part(this, "seen").textContent === "now") setText(part(this, "seen"), words(store.state.statuses.get(one.label).at));
    setArt(part(this, "art"), one.art, 320);
    const name = part(this, "name").textContent;
    const button = this.querySelector('[value="toggle"]');
    setAttribute(button, "aria-label", `${one.isMoving ? (one.live ? "Stop" : "Pause") : "Play"} ${name}`);
    for (const act of this.querySelectorAll("[data-act]")) act.disabled = one.isOff;
  }
}
customElements.define("castq-card", ScreenCard);
