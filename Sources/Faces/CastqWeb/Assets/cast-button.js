// The Cast button: always at the same place. Pressed, it explains itself once, then opens the chooser.
import { choose, chosen, look, part, remember, remembered, screenName, setAttribute, setText, store } from "./live.js";

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
