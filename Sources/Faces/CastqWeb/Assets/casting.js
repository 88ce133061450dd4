// What every page has of casting: the Cast button, always at the same place, and the mini controller.
import { choose, chosen, command, eachSecond, look, part, remember, remembered, screenName, seenStatus, setArt, setAttribute, setText, store, toggle, turnVolume } from "./live.js";
import { isOn } from "./store.js";

/** Pressed, it explains itself once, then opens the chooser. */
class CastButton extends HTMLElement {
  #state = null;

  connectedCallback() {
    const button = part(this, "button");
    button.addEventListener("click", (event) => {
      event.preventDefault();
      this.open();
    });
    button.addEventListener("keydown", (event) => {
      if (event.key === " ") { event.preventDefault(); this.open(); }
    });
    store.subscribe(() => this.draw());
    document.addEventListener("castq-chosen", () => this.draw());
    if (document.body.dataset.device) choose(document.body.dataset.device);
    this.draw();
    this.introduce();
  }

  async open() {
    document.getElementById("introduction")?.hidePopover?.();
    remember("introduced", "yes");
    const { openChooser } = await import("./chooser.js");
    openChooser();
  }

  /** Once ever, when a screen is first there. */
  introduce() {
    if (remembered("introduced") || document.body.dataset.introduction === "off") return;
    const show = () => {
      const overlay = document.getElementById("introduction");
      if (remembered("introduced") || !overlay?.showPopover || store.state.statuses.size === 0) return;
      part(overlay, "dismiss").addEventListener("click", () => {
        remember("introduced", "yes");
        overlay.hidePopover();
        part(this, "button").focus();
      }, { once: true });
      overlay.showPopover();
      remember("introduced", "yes");
      end();
    };
    const end = store.subscribe(show);
  }

  draw() {
    const device = chosen();
    const one = device ? look(device) : null;
    const name = screenName(device);
    const button = part(this, "button");
    let state = "disconnected";
    let words = "Cast";
    if (store.state.link === "down") [state, words] = ["suspended", device ? `${name}, not reached` : "Cast"];
    else if (one?.air === "busy" && !one.isOn) [state, words] = ["connecting", `Connecting to ${name}`];
    else if (one && !one.isOff) [state, words] = ["connected", name];
    else if (one) [state, words] = ["suspended", `${name}, unreachable`];
    else if (store.state.link === "up" && store.state.statuses.size === 0) state = "none";
    // What it was found to be is not spoken, what it becomes is.
    const isNews = this.#state !== null && this.#state !== state;
    this.#state = one ? state : null;
    setAttribute(button, "data-state", state);
    setText(part(this, "words"), words);
    const label = {
      disconnected: "Cast: choose a screen", connecting: `Cast: ${words}`, connected: `Casting to ${words}`,
      suspended: `Cast: ${words}`, none: "Cast: no screen is known yet",
    }[state];
    setAttribute(button, "aria-label", label);
    if (isNews) setText(part(this, "announced"), label);
  }
}
customElements.define("castq-cast-button", CastButton);

const narrow = matchMedia("(max-width: 1099px)");

/** Seen while something is cast and the expanded one is not open, or on a phone is scrolled away. */
class MiniController extends HTMLElement {
  #label = null;
  #isTurning = false;
  /** The buttons of the expanded one, and whether they are in sight, between the bars of a phone. */
  #transport = null;
  #isInSight = true;
  #sight = new IntersectionObserver((all) => {
    this.#isInSight = all.at(-1).isIntersecting;
    this.draw();
  }, { rootMargin: "-56px 0px -60px 0px" });

  connectedCallback() {
    narrow.addEventListener("change", () => this.draw());
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

  /** Whether the expanded one of this screen is in sight, which is enough. */
  #isOpen() {
    const open = document.querySelector("castq-controller");
    const transport = open?.querySelector(".transport") ?? null;
    if (transport !== this.#transport) {
      this.#sight.disconnect();
      [this.#transport, this.#isInSight] = [transport, true];
      if (transport) this.#sight.observe(transport);
    }
    return open?.label === this.#label && open.checkVisibility() && (this.#isInSight || !narrow.matches);
  }

  draw() {
    this.#label = this.#device();
    const one = this.#label ? look(this.#label) : null;
    const isSeen = Boolean(one?.isOn) && !this.#isOpen();
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
