// Short messages in a polite live region.
import { visible } from "./store.js";

class Toasts extends HTMLElement {
  show(text, isBad, act) {
    const line = document.createElement("p");
    const words = document.createElement("span");
    words.textContent = visible(text);
    line.append(words);
    if (isBad) line.dataset.bad = "";
    if (act) this.#button(line, act.words, act.run);
    this.#button(line, "×", () => undefined).setAttribute("aria-label", "Close");
    this.append(line);
    while (this.children.length > 3) this.firstElementChild.remove();
    setTimeout(() => line.remove(), isBad || act ? 12000 : 6000);
  }

  /** What takes the message away, after what it does. */
  #button(line, words, run) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words;
    button.addEventListener("click", () => { line.remove(); run(); });
    line.append(button);
    return button;
  }
}
customElements.define("castq-toasts", Toasts);

export function show(text, isBad, act) {
  document.querySelector("castq-toasts")?.show(text, isBad, act);
}
