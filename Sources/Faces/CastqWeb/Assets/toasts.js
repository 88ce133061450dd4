// Short messages in a polite live region.
import { visible } from "./store.js";

class Toasts extends HTMLElement {
  show(text, isBad) {
    const line = document.createElement("p");
    line.textContent = visible(text);
    if (isBad) line.dataset.bad = "";
    this.append(line);
    while (this.children.length > 3) this.firstElementChild.remove();
    setTimeout(() => line.remove(), isBad ? 12000 : 6000);
  }
}
customElements.define("castq-toasts", Toasts);

export function show(text, isBad) {
  document.querySelector("castq-toasts")?.show(text, isBad);
}
