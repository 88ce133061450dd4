// The mini controller: seen while something is cast and the expanded one is not open.
import { chosen, command, eachSecond, look, part, screenName, seenStatus, setArt, setAttribute, setText, store, toggle, turnVolume } from "./live.js";
import { isOn } from "./store.js";

class MiniController extends HTMLElement {
  #label = null;
  #isTurning = false;

  connectedCallback() {
    store.subscribe(() => this.draw());
    document.addEventListener("castq-chosen", () => this.draw());
    eachSecond(() => { if (!this.hidden) this.draw(); });
    // Who may only look has none.
    part(this, "act")?.addEventListener("click", () => this.#label && toggle(this.#label));
    part(this, "skip")?.addEventListener("click", () => this.#label && command(this.#label, "next"));
    const volume = part(this, "volume");
    volume?.addEventListener("input", () => { this.#isTurning = true; });
    volume?.addEventListener("change", () => {
      this.#isTurning = false;
      if (this.#label) turnVolume(this.#label, volume.value);
    });
    this.draw();
  }

  /** The chosen device, else the only one that plays. */
  #device() {
    const own = chosen();
    if (own) return own;
    const playing = [...store.state.statuses.keys()].filter((label) => isOn(seenStatus(label)));
    return playing.length === 1 ? playing[0] : null;
  }

  draw() {
    this.#label = this.#device();
    const one = this.#label ? look(this.#label) : null;
    // Where the expanded one of this screen is in sight, it is enough.
    const open = document.querySelector("castq-controller");
    const isSeen = Boolean(one?.isOn) && !(open?.label === this.#label && open.checkVisibility());
    if (this.hidden === isSeen) this.hidden = !isSeen;
    if (!isSeen) return;
    setAttribute(this, "data-state", one.token);
    setAttribute(this, "data-live", one.live ? "true" : null);
    setAttribute(this, "data-pending", one.pending ? "true" : null);
    setText(part(this, "title"), one.title || "Something");
    // The name of the screen stands first: of several, this is the one that the buttons are for.
    setText(part(this, "subtitle"), [`on ${screenName(this.#label)}`, one.subtitle].filter(Boolean).join(" · "));
    const volume = part(this, "volume");
    if (volume && !this.#isTurning) {
      volume.disabled = !one.volume || document.body.dataset.link === "down";
      volume.value = one.volume?.level ?? 0;
    }
    setText(part(this, "times"), one.total ? `${one.elapsed} / ${one.total}` : one.elapsed);
    setAttribute(part(this, "progress"), "value", one.permille);
    setAttribute(part(this, "open"), "href", `/d/${encodeURIComponent(this.#label)}`);
    setAttribute(part(this, "act"), "aria-label", one.isMoving ? (one.live ? "Stop" : "Pause") : "Play");
    setArt(part(this, "art"), one.art, 320);
  }
}
customElements.define("castq-mini", MiniController);
